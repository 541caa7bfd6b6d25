#include "results/fingerprint.h"

#include <cstdint>
#include <vector>

#include "results/checksum.h"

namespace splitbench {

std::string fingerprint(const NodeDescription& node) {
  nlohmann::ordered_json identity{node.backend, name(node.times_are)};
  for (const Device& device : node.devices) {
    identity.push_back({device.name, device.uuid.value_or("")});
  }
  // A name may hold any bytes, which CBOR takes.
  const std::vector<std::uint8_t> bytes = nlohmann::ordered_json::to_cbor(identity);
  return checksum_text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace splitbench
