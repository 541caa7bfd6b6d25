#include "results/import/nccl_topology_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <pugixml.hpp>
#include <set>
#include <utility>

namespace splitbench {
namespace {

constexpr int kMostDepth = 32;

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// The document without what a terminal shows around it; empty where there is none.
std::string_view xml_text(const TextSource& source) {
  const std::string_view raw = source.raw();
  const std::size_t begin = raw.find("<system");
  return begin == std::string_view::npos ? "" : raw.substr(begin, raw.rfind('>') + 1 - begin);
}

// A PCI class without the "0x": "030200" is a GPU, "060400" a bridge.
std::string class_of(const pugi::xml_node& pci) {
  const std::string text = lower(pci.attribute("class").value());
  return text.starts_with("0x") ? text.substr(2) : text;
}

// With what NCCL found in it, or by class: display controllers (03); accelerators (12) of AMD.
bool is_gpu(const pugi::xml_node& pci) {
  if (pci.child("gpu")) return true;
  const std::string pci_class = class_of(pci);
  return pci_class.starts_with("03") ||
         (pci_class.starts_with("12") && lower(pci.attribute("vendor").value()) == "0x1002");
}

std::optional<int> whole(const pugi::xml_attribute& attribute, int most) {
  const auto number = whole_number_in(attribute.value());
  if (!number || *number < 0 || *number > most) return std::nullopt;
  return static_cast<int>(*number);
}

// "16 GT/s", "32.0 GT/s PCIe". Source: PCI Express base specifications 1.0 to 6.0.
std::optional<int> generation(std::string_view speed) {
  constexpr std::array<double, 6> kTransfers{2.5, 5.0, 8.0, 16.0, 32.0, 64.0};
  const auto words = words_of(speed);
  const auto rate = words.empty() ? std::nullopt : number_in(words[0]);
  if (!rate) return std::nullopt;
  const auto found = std::find(kTransfers.begin(), kTransfers.end(), *rate);
  if (found == kTransfers.end()) return std::nullopt;
  return static_cast<int>(found - kTransfers.begin()) + 1;
}

struct Gpu {
  int number = 0;
  std::string bus;
  pugi::xml_node pci;
  std::vector<pugi::xml_node> above;  // bridges, from the device up; the NUMA node last
  std::map<std::string, int> links;   // by the address they end at
  int to_switch = 0;                  // links that end at what is no GPU
  bool noted = false;                 // that links end where they begin
};

class Reader {
 public:
  Reader(const TextSource& source, ImportedNode& node)
      : source_(source), text_(xml_text(source)), node_(node) {}

  void read() {
    const auto parsed = document_.load_buffer(text_.data(), text_.size());
    if (!parsed) {
      source_.fail(line_of(parsed.offset), fmt::format("no XML: {}", parsed.description()));
    }
    const pugi::xml_node system = document_.child("system");
    if (!system) source_.fail(1, "expected <system>, as NCCL writes a topology");
    walk(system, 0);
    if (gpus_.empty()) {
      source_.fail(line_of(system.offset_debug()),
                   unknown_ > 0
                       ? fmt::format("{} PCI devices, and none has a class or a <gpu> that "
                                     "tells it is a GPU",
                                     unknown_)
                       : "no GPU in it");
    }
    add_devices();
    add_links();
    const bool described = std::any_of(gpus_.begin(), gpus_.end(), [](const Gpu& gpu) {
      return static_cast<bool>(gpu.pci.child("gpu"));
    });
    if (!described) {
      node_.notes.emplace_back("no <gpu> in it: which NVLinks there are is not said");
    }
    node_.formats.emplace_back("NCCL topology XML");
  }

 private:
  std::size_t line_of(std::ptrdiff_t offset) const {
    const auto before = static_cast<std::size_t>(text_.data() - source_.raw().data());
    return source_.line_at(before + static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)));
  }

  void walk(const pugi::xml_node& parent, int depth) {
    if (depth > kMostDepth) {
      source_.fail(line_of(parent.offset_debug()),
                   fmt::format("nested deeper than {}", kMostDepth));
    }
    for (const pugi::xml_node& child : parent.children()) {
      const std::string_view name = child.name();
      if (name == "pci" && is_gpu(child)) {
        add_gpu(child);
      } else if (name == "pci" && !child.first_child() && class_of(child).empty()) {
        ++unknown_;
      } else if (name == "net") {
        node_.network.push_back(printable(child.attribute("name").value()));
      }
      walk(child, depth + 1);
    }
  }

  void add_gpu(const pugi::xml_node& pci) {
    if (gpus_.size() >= kMostNodeDevices)
      source_.fail(line_of(pci.offset_debug()), fmt::format("more than {} GPUs", kMostNodeDevices));
    Gpu gpu{.number = static_cast<int>(gpus_.size()),
            .bus = printable(lower(pci.attribute("busid").value())),
            .pci = pci,
            .above = {},
            .links = {}};
    if (const auto device = whole(pci.child("gpu").attribute("dev"), 1'000'000))
      gpu.number = *device;
    for (auto above = pci.parent(); above && std::string_view(above.name()) != "system";
         above = above.parent()) {
      gpu.above.push_back(above);
    }
    const bool again = std::any_of(gpus_.begin(), gpus_.end(),
                                   [&](const Gpu& other) { return other.number == gpu.number; });
    if (again) {
      source_.fail(line_of(pci.offset_debug()),
                   fmt::format("a second GPU {}; expected one node", gpu.number));
    }
    gpus_.push_back(std::move(gpu));
  }

  void add_devices() {
    for (const Gpu& gpu : gpus_) {
      ImportedDevice& device = node_.devices[gpu.number];
      device.bus = gpu.bus;
      device.pcie.generation_now = generation(gpu.pci.attribute("link_speed").value());
      const auto width = whole(gpu.pci.attribute("link_width"), 64);
      if (width && *width > 0) device.pcie.width_now = width;
      if (!gpu.above.empty())
        device.numa_node = whole(gpu.above.back().attribute("numaid"), 1'000'000);
    }
  }

  // NVLink, or XGMI of AMD.
  void count_links() {
    std::set<std::string> buses;
    for (const Gpu& gpu : gpus_) buses.insert(gpu.bus);
    for (Gpu& gpu : gpus_) {
      for (const pugi::xml_node& link : gpu.pci.child("gpu").children()) {
        const std::string_view name = link.name();
        if (name != "nvlink" && name != "xgmi") continue;
        if (name == "xgmi") prefix_ = "XGMI";
        const std::string end = printable(lower(link.attribute("target").value()));
        const int count = whole(link.attribute("count"), 1024).value_or(0);
        (buses.contains(end) ? gpu.links[end] : gpu.to_switch) += count;
        if (end == gpu.bus && !std::exchange(gpu.noted, true)) {
          node_.notes.push_back(fmt::format("line {}: links of GPU {} that end at itself",
                                            line_of(link.offset_debug()), gpu.number));
        }
      }
    }
  }

  static int links_between(const Gpu& a, const Gpu& b) {
    const auto there = a.links.find(b.bus);
    const auto back = b.links.find(a.bus);
    if (there != a.links.end() && back != b.links.end()) {
      return std::min(there->second, back->second);
    }
    return std::min(a.to_switch, b.to_switch);
  }

  std::string kind_between(const Gpu& a, const Gpu& b) const {
    const int links = links_between(a, b);
    if (links > 0) return fmt::format("{}{}", prefix_, links);
    for (std::size_t up = 0; up < a.above.size(); ++up) {
      const auto shared = std::find(b.above.begin(), b.above.end(), a.above[up]);
      if (shared == b.above.end()) continue;
      if (std::string_view(shared->name()) != "pci") return "PHB";
      return up == 0 && shared == b.above.begin() ? "PIX" : "PXB";
    }
    return "SYS";
  }

  void add_links() {
    count_links();
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      for (std::size_t j = i + 1; j < gpus_.size(); ++j) {
        const std::string kind = kind_between(gpus_[i], gpus_[j]);
        node_.links.push_back({.a = std::min(gpus_[i].number, gpus_[j].number),
                               .b = std::max(gpus_[i].number, gpus_[j].number),
                               .kind = kind,
                               .path = path_of_kind(kind)});
      }
    }
  }

  const TextSource& source_;
  std::string_view text_;
  ImportedNode& node_;
  pugi::xml_document document_;
  std::vector<Gpu> gpus_;
  int unknown_ = 0;            // devices that say nothing of what they are
  const char* prefix_ = "NV";  // of a kind of link
};

}  // namespace

bool looks_like_nccl_topology_xml(const TextSource& source) {
  return !xml_text(source).empty();
}

void read_nccl_topology_xml(const TextSource& source, ImportedNode& node) {
  Reader(source, node).read();
}

}  // namespace splitbench
