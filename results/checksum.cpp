#include "results/checksum.h"

#include <fmt/format.h>

#include <boost/crc.hpp>
#include <cstdint>
#include <limits>

namespace splitbench {

std::string checksum_text(std::string_view bytes) {
  constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
  boost::crc_optimal<64, 0x42f0e1eba9ea3693, kAll, kAll, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return fmt::format("{:016x}", crc.checksum());
}

}  // namespace splitbench
