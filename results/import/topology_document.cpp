#include "results/import/topology_document.h"

#include <algorithm>
#include <utility>

#include "model/invalid_input.h"
#include "protocols/document_value.h"
#include "results/import/json_part.h"

namespace splitbench {
namespace {

constexpr std::size_t kMost = kMostNodeDevices;
constexpr std::size_t kLongest = 2048;

std::optional<DocumentValue> known(const DocumentValue& value, std::string_view key) {
  const auto member = value.member(key);
  return member && !member->is_null() ? member : std::nullopt;
}

DocumentValue needed(const DocumentValue& value, std::string_view key) {
  const auto member = known(value, key);
  if (!member) value.fail("the key '" + std::string(key) + "' is missing");
  return *member;
}

std::optional<int> number(const DocumentValue& value, std::string_view key) {
  const auto member = known(value, key);
  if (!member) return std::nullopt;
  return static_cast<int>(member->whole(0, 65535));
}

// Those that are up, of which all have one rate.
void read_nvlinks(const DocumentValue& value, const DocumentValue& links, ImportedDevice& device) {
  const auto rate = known(value, "nvlink_bytes_per_s");
  if (!rate) return;
  device.nvlinks.emplace();
  for (const DocumentValue& link : links.elements(kMost)) {
    if (!needed(link, "active").boolean()) continue;
    device.nvlinks->push_back(BytesPerSecond(rate->number(0.0, 1e18)));
  }
}

void read_device(const DocumentValue& value, ImportedDevice& device) {
  if (const auto name = known(value, "name")) device.name = printable(name->text(kLongest));
  if (const auto bus = known(value, "pci_bus_id")) device.bus = printable(bus->text(kLongest));
  if (const auto memory = known(value, "memory_bytes")) {
    device.memory = Bytes(memory->number(0.0, 1e18));
  }
  if (const auto numa = known(value, "numa_node")) {
    const auto node = numa->whole(-1, 65535);  // -1: the machine has none
    if (node >= 0) device.numa_node = static_cast<int>(node);
  }
  if (const auto links = known(value, "nvlinks")) read_nvlinks(value, *links, device);
  if (const auto pcie = known(value, "pcie")) {
    device.pcie.generation_now = number(*pcie, "generation");
    device.pcie.width_now = number(*pcie, "width");
    device.pcie.generation_most = number(*pcie, "most_generation");
    device.pcie.width_most = number(*pcie, "most_width");
  }
}

// A link's ends are positions in the list of devices; here they are their numbers.
Link read_link(const DocumentValue& value, const std::vector<int>& devices) {
  const auto end = [&](std::string_view key) {
    const DocumentValue at = needed(value, key);
    return devices[static_cast<std::size_t>(
        at.whole(0, static_cast<std::int64_t>(devices.size()) - 1))];
  };
  Link link{.a = end("a"), .b = end("b")};
  if (link.a > link.b) std::swap(link.a, link.b);
  link.kind = printable(needed(value, "kind").text(kLongest));
  const DocumentValue path = needed(value, "path");
  try {
    link.path = path_between(path.text(kLongest));
  } catch (const InvalidInput& error) {
    path.fail(error.what());
  }
  return link;
}

void read_access(const DocumentValue& value, const Link& link, ImportedNode& node) {
  const auto access = known(value, "peer_access");
  if (!access) return;
  const auto add = [&](std::string_view key, int from, int to) {
    const auto granted = known(*access, key);
    if (!granted) return;
    const bool yes = granted->boolean();
    node.peers.push_back({from, to, yes ? "granted" : "refused", yes});
  };
  add("a_to_b", link.a, link.b);
  add("b_to_a", link.b, link.a);
}

void read_copies(const DocumentValue& copies, const std::vector<int>& devices, ImportedNode& node) {
  const auto size = static_cast<std::size_t>(*std::max_element(devices.begin(), devices.end())) + 1;
  PairMatrix matrix{.name = "copies of splitbench topology",
                    .unit = "bytes_per_s",
                    .rows = "device",
                    .direction = "->"};
  matrix.cells.assign(size, std::vector<std::optional<double>>(size));
  const auto last = static_cast<std::int64_t>(size) - 1;
  for (const DocumentValue& copy : copies.elements(kMost * kMost)) {
    const auto from = static_cast<std::size_t>(needed(copy, "from").whole(0, last));
    const auto to = static_cast<std::size_t>(needed(copy, "to").whole(0, last));
    if (const auto rate = known(copy, "bandwidth_bytes_per_s")) {
      matrix.cells[from][to] = rate->number(0.0, 1e18);
    }
  }
  node.matrices.push_back(std::move(matrix));
}

}  // namespace

bool looks_like_topology_document(const TextSource& source) {
  return source.raw().find("\"splitbench.topology/1\"") != std::string::npos;
}

void read_topology_document(const TextSource& source, ImportedNode& node) {
  const auto document = json_part(source);
  if (!document) source.fail(1, "expected a JSON document of 'splitbench topology'");
  const DocumentValue root(*document);
  std::vector<int> devices;
  for (const DocumentValue& device : needed(root, "devices").elements(kMost)) {
    devices.push_back(
        static_cast<int>(needed(device, "index").whole(0, static_cast<std::int64_t>(kMost) - 1)));
    read_device(device, node.devices[devices.back()]);
  }
  if (devices.empty()) needed(root, "devices").fail("no devices were found there");
  for (const DocumentValue& value : needed(root, "links").elements(kMost * kMost)) {
    Link link = read_link(value, devices);
    if (link.a == link.b) continue;  // two ranks on one device
    read_access(value, link, node);
    node.links.push_back(std::move(link));
  }
  const DocumentValue copies = needed(root, "copies");
  if (!copies.elements(kMost * kMost).empty()) read_copies(copies, devices, node);
  node.formats.emplace_back("splitbench topology");
}

}  // namespace splitbench
