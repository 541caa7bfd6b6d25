#include "results/node_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace splitbench {
namespace {

const Link* find_link(const ImportedNode& node, int a, int b) {
  for (const Link& link : node.links) {
    if (std::minmax(link.a, link.b) == std::minmax(a, b)) return &link;
  }
  return nullptr;
}

// 12 of "NV12"; 1 of "XGMI", which joins each pair by one.
std::optional<int> links_in(const std::string& kind) {
  if (kind.starts_with("XGMI")) return 1;
  int count = 0;
  const char* const end = kind.data() + kind.size();
  if (!kind.starts_with("NV") || std::from_chars(kind.data() + 2, end, count).ptr != end) {
    return std::nullopt;
  }
  return count;
}

// Where two devices meet on PCIe or beyond it, the nearest first, as nvidia-smi topo -m and this
// program say; PSB and SOC are of older drivers.
constexpr std::array<std::string_view, 8> kPcieKinds{"same board", "PSB",  "PIX", "PXB",
                                                     "PHB",        "NODE", "SOC", "SYS"};

bool is_pcie_kind(std::string_view kind) {
  return std::find(kPcieKinds.begin(), kPcieKinds.end(), kind) != kPcieKinds.end();
}

// 0 for what is not PCIe, for no two of those compare.
int closeness(std::string_view kind) {
  const auto found = std::find(kPcieKinds.begin(), kPcieKinds.end(), kind);
  return static_cast<int>(kPcieKinds.end() - found);
}

// What is better: the ceiling, and of equal ones how near the devices are.
std::pair<double, int> worth(const NodeLink& link) {
  return {link.ceiling ? link.ceiling->value() : 0.0, closeness(link.kind)};
}

// A card without links of its own: on one node nothing else joins two of them.
bool has_pcie_alone(const Answer<GpuModel>& gpu) {
  return gpu && gpu->link && gpu->link->links == 0;
}

bool access_granted(const ImportedNode& node, int a, int b) {
  const auto granted = [&](int from, int to) {
    return std::any_of(node.peers.begin(), node.peers.end(), [&](const PeerAccess& access) {
      return access.from == from && access.to == to && access.granted;
    });
  };
  return granted(a, b) && granted(b, a);
}

void add_gpu_links(NodeLink& link, const ImportedDevice& device, const Answer<GpuModel>& gpu) {
  link.link = LinkClass::gpu_link;
  if (const std::string why = too_many_links(*link.gpu_links, gpu); !why.empty()) {
    link.impossible = link.kind + ": " + why;
    link.ceiling = Answer<BytesPerSecond>::none(link.impossible);
  } else if (gpu && gpu->link && gpu->link->links > 0) {
    link.ceiling = *link.gpu_links * gpu->link->each_way;
    link.source = gpu->link_source;
  } else if (device.nvlinks && !device.nvlinks->empty()) {
    link.ceiling = *link.gpu_links * device.nvlinks->front();
    link.source = "nvidia-smi nvlink";
  } else {
    link.ceiling = Answer<BytesPerSecond>::none("the rate of one link is not known");
  }
}

struct Slot {
  int generation;
  int width;
  std::string source;
};

// What both the slot and the card can, as a tool says it or, where none does, as the datasheet
// does.
std::optional<Slot> slot_of(const ImportedDevice& device, const Answer<GpuModel>& gpu) {
  if (device.pcie.generation_most && device.pcie.width_most) {
    return Slot{*device.pcie.generation_most, *device.pcie.width_most, "nvidia-smi -q, its most"};
  }
  if (gpu) return Slot{gpu->pcie_generation, gpu->pcie_width, gpu->pcie_source};
  return std::nullopt;
}

void add_pcie(NodeLink& link, const ImportedNode& node, const Answer<GpuModel>& gpu, Path path) {
  const bool granted = access_granted(node, link.a, link.b);
  link.link = path == Path::host_memory ? LinkClass::host_memory
              : granted                 ? LinkClass::peer_pcie
                                        : LinkClass::any_pcie;
  link.ceiling = Answer<BytesPerSecond>::none("generation and width of PCIe are not known");
  for (const int device : {link.a, link.b}) {
    const auto found = node.devices.find(device);
    const auto slot = slot_of(found == node.devices.end() ? ImportedDevice{} : found->second, gpu);
    if (!slot) return;
    const Answer<BytesPerSecond> rate = pcie_rate(slot->generation, slot->width);
    if (rate && link.ceiling && *link.ceiling <= *rate) continue;
    link.ceiling = rate;
    link.source =
        fmt::format("PCIe generation {} x{} ({})", slot->generation, slot->width, slot->source);
    if (!rate) return;
  }
}

// In one direction, between devices, by name as the tools write it.
bool is_one_way_copy(const PairMatrix& matrix) {
  const auto says = [&](const char* part) { return matrix.name.find(part) != std::string::npos; };
  return matrix.unit == "bytes_per_s" && matrix.rows == "device" && matrix.direction != "<->" &&
         !says("bidirectional") && !says("Bidirectional") && !says("P2P=Disabled");
}

std::optional<double> cell_of(const PairMatrix& matrix, int row, int column) {
  const auto r = static_cast<std::size_t>(row);
  const auto c = static_cast<std::size_t>(column);
  if (r >= matrix.cells.size() || c >= matrix.cells[r].size()) return std::nullopt;
  return matrix.cells[r][c];
}

// Of one way and the other the slower, where the table has both.
std::optional<BytesPerSecond> copied(const PairMatrix& matrix, int a, int b) {
  if (!is_one_way_copy(matrix)) return std::nullopt;
  const auto forth = cell_of(matrix, a, b);
  const auto back = cell_of(matrix, b, a);
  if (!forth || !back) return std::nullopt;
  return BytesPerSecond(std::min(*forth, *back));
}

// What a pair is chosen by.
std::pair<double, std::pair<double, int>> merit(const ImportedNode& node, int a, int b,
                                                const Answer<GpuModel>& gpu) {
  const auto copy = measured_between(node, a, b);
  return {copy ? copy->rate.value() : 0.0, worth(link_between(node, a, b, gpu))};
}

}  // namespace

NodeLink link_between(const ImportedNode& node, int a, int b, const Answer<GpuModel>& gpu) {
  NodeLink link{.a = a, .b = b, .kind = "unknown"};
  const Link* found = find_link(node, a, b);
  const Path path = found == nullptr ? Path::unknown : found->path;
  if (found != nullptr) link.kind = found->kind;
  if (path == Path::same_device) {
    link.ceiling = Answer<BytesPerSecond>::none("both are one device: there is no link");
    return link;
  }
  link.gpu_links = links_in(link.kind);
  const auto device = node.devices.find(a);
  if (link.gpu_links && *link.gpu_links > 0) {
    add_gpu_links(link, device == node.devices.end() ? ImportedDevice{} : device->second, gpu);
  } else if (is_pcie_kind(link.kind) || path == Path::host_memory) {
    link.gpu_links = 0;
    add_pcie(link, node, gpu, path);
  } else if (link.kind == "unknown" && has_pcie_alone(gpu) && node.devices.contains(a) &&
             node.devices.contains(b)) {
    add_pcie(link, node, gpu, path);
  } else if (link.kind != "unknown") {
    link.ceiling = Answer<BytesPerSecond>::none("what " + link.kind + " can carry is not known");
  }
  return link;
}

Answer<BytesPerSecond> most_over(const NodeLink& link, const Answer<GpuModel>& gpu) {
  if (link.ceiling || link.kind != "unknown" || !gpu) return link.ceiling;
  const auto pcie = pcie_rate(gpu->pcie_generation, gpu->pcie_width);
  if (!gpu->link || !pcie) return link.ceiling;
  return std::max(gpu->link->links * gpu->link->each_way, *pcie);
}

bool is_more_than_carried(BytesPerSecond measured, const Answer<BytesPerSecond>& most) {
  return most && measured > kMostOfCeiling * *most;
}

std::string too_many_links(int links, const Answer<GpuModel>& gpu) {
  if (!gpu || !gpu->link || links <= gpu->link->links) return {};
  const std::string has =
      gpu->link->links == 0 ? "no such link" : fmt::format("{} links", gpu->link->links);
  return fmt::format("{} has {}; the text is wrong, or of another card", gpu->names.front(), has);
}

NodeLink slowest_link(const ImportedNode& node, const std::vector<int>& devices,
                      const Answer<GpuModel>& gpu) {
  std::optional<NodeLink> slowest;
  for (const int a : devices) {
    for (const int b : devices) {
      if (a >= b) continue;
      NodeLink link = link_between(node, a, b, gpu);
      if (!slowest || worth(link) < worth(*slowest)) slowest = std::move(link);
    }
  }
  return slowest.value_or(NodeLink{.kind = "unknown"});
}

std::optional<MeasuredCopy> measured_between(const ImportedNode& node, int a, int b) {
  std::optional<MeasuredCopy> best;
  for (const PairMatrix& matrix : node.matrices) {
    const auto rate = copied(matrix, a, b);
    if (rate && (!best || *rate > best->rate)) best = MeasuredCopy{*rate, matrix.name};
  }
  return best;
}

std::string unused_between(const ImportedNode& node, int a, int b) {
  const auto found = std::find_if(
      node.unused.begin(), node.unused.end(),
      [&](const UnusedMatrix& unused) { return copied(unused.matrix, a, b).has_value(); });
  return found == node.unused.end() ? "" : found->matrix.name + ": " + found->why;
}

std::vector<int> devices_to_use(const ImportedNode& node, int ranks, const Answer<GpuModel>& gpu) {
  std::vector<int> numbers;
  for (const auto& [number, device] : node.devices) numbers.push_back(number);
  if (numbers.size() < static_cast<std::size_t>(ranks)) return {};
  if (ranks != 2) return {numbers.begin(), numbers.begin() + ranks};
  std::vector<int> best{numbers[0], numbers[1]};
  for (const int a : numbers) {
    for (const int b : numbers) {
      if (a < b && merit(node, a, b, gpu) > merit(node, best[0], best[1], gpu)) best = {a, b};
    }
  }
  return best;
}

}  // namespace splitbench
