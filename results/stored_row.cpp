#include "results/stored_row.h"

#include <boost/crc.hpp>

namespace splitbench {

std::int64_t checksum(sqlite::Blob bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

sqlite::Blob bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string label(std::string_view run) {
  return "run " + std::string(run);
}
std::string label(std::string_view run, std::int64_t session) {
  return "session " + std::to_string(session) + " of " + label(run);
}
std::string label(std::string_view run, std::int64_t session, std::int64_t round) {
  return "round " + std::to_string(round) + " of " + label(run, session);
}

void fail_damaged(const std::filesystem::path& file, const std::string& what,
                  const std::string& why) {
  throw StoreError(StoreFault::damaged_run, file, what + " is damaged: " + why);
}

std::vector<std::uint8_t> checked_bytes(const sqlite::Rows& row, int first,
                                        const std::filesystem::path& file,
                                        const std::string& what) {
  std::vector<std::uint8_t> bytes = row.blob(first);
  if (checksum(bytes) != row.integer(first + 1)) {
    fail_damaged(file, what, "its checksum is not that of what was saved");
  }
  return bytes;
}

std::string checked_text(const sqlite::Rows& row, int first, const std::filesystem::path& file,
                         const std::string& what) {
  const std::vector<std::uint8_t> bytes = checked_bytes(row, first, file, what);
  return {bytes.begin(), bytes.end()};
}

}  // namespace splitbench
