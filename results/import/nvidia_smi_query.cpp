#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/import/nvidia_smi.h"

namespace splitbench {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

// "    Product Name      : NVIDIA L40S", with how far it is indented; a heading has no value.
struct Entry {
  std::size_t indent = 0;
  std::string_view key;
  std::string_view value;
  bool heading = false;
};

Entry entry_in(std::string_view line) {
  Entry entry;
  entry.indent = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t colon = line.find(" : ");
  entry.heading = colon == std::string_view::npos;
  entry.key = trimmed(line.substr(0, colon));
  if (!entry.heading) entry.value = trimmed(line.substr(colon + 3));
  return entry;
}

// "GPU 00000000:0C:00.0"
std::optional<std::string> bus_in(std::string_view line) {
  if (!trimmed(line).starts_with("GPU ")) return std::nullopt;
  const auto words = words_of(line);
  if (words.size() != 2 || words[0] != "GPU" ||
      std::count(words[1].begin(), words[1].end(), ':') != 2) {
    return std::nullopt;
  }
  std::string bus(words[1]);
  std::transform(bus.begin(), bus.end(), bus.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return bus;
}

// "4", "16x" and their like.
std::optional<int> count_in(std::string_view value) {
  if (value.ends_with('x')) value.remove_suffix(1);
  const auto number = whole_number_in(value);
  if (!number || *number < 0 || *number > 1024) return std::nullopt;
  return static_cast<int>(*number);
}

class Reader {
 public:
  Reader(const TextSource& source, ImportedNode& node) : source_(source), node_(node) {}

  void read() {
    for (const TextLine& line : source_.lines()) read_line(line);
    if (devices_ == 0) source_.fail(1, "nvidia-smi -q without a device: it is cut");
    if (attached_ && *attached_ != devices_) {
      source_.fail(1, fmt::format("cut: it says that {} devices are attached and describes {}",
                                  *attached_, devices_));
    }
    node_.formats.emplace_back("nvidia-smi -q");
  }

 private:
  void read_line(const TextLine& line) {
    if (const auto bus = bus_in(line.text)) {
      device_ = &node_.devices[devices_++];
      device_->bus = bus;
      sections_.clear();
      return;
    }
    const Entry entry = entry_in(line.text);
    if (entry.key.empty()) return;
    while (!sections_.empty() && sections_.back().indent >= entry.indent) sections_.pop_back();
    if (entry.heading) {
      sections_.push_back(entry);
    } else if (device_ == nullptr) {
      read_head(entry);
    } else {
      read_entry(entry);
    }
  }

  void read_head(const Entry& entry) {
    const auto words = words_of(entry.value);
    if (words.empty()) return;
    if (entry.key == "Driver Version") node_.software["driver"] = words.front();
    if (entry.key == "CUDA Version") node_.software["cuda"] = words.front();
    if (entry.key == "Attached GPUs") attached_ = count_in(words.front());
  }

  bool in(std::string_view section) const {
    return !sections_.empty() && sections_.back().key == section;
  }

  void read_entry(const Entry& entry) {
    ImportedDevice& device = *device_;
    if (entry.key == "Product Name") device.name = entry.value;
    if (entry.key == "GPU UUID") device.uuid = std::string(entry.value);
    if (in("MIG Mode") && entry.key == "Current" && entry.value != "N/A") {
      device.mig = entry.value == "Enabled";
    }
    if (in("FB Memory Usage") && entry.key == "Total") {
      const auto words = words_of(entry.value);
      const auto size = words.size() == 2 && words[1] == "MiB" ? number_in(words[0]) : std::nullopt;
      if (size && *size > 0.0) device.memory = Bytes(kMebibyte * *size);
    }
    if (in("PCIe Generation") && entry.key == "Max")
      device.pcie.generation_most = count_in(entry.value);
    if (in("PCIe Generation") && entry.key == "Current")
      device.pcie.generation_now = count_in(entry.value);
    if (in("Link Width") && entry.key == "Max") device.pcie.width_most = count_in(entry.value);
    if (in("Link Width") && entry.key == "Current") device.pcie.width_now = count_in(entry.value);
    if (in("MIG Device") && entry.key == "Index") ++device.mig_instances;
  }

  const TextSource& source_;
  ImportedNode& node_;
  ImportedDevice* device_ = nullptr;
  int devices_ = 0;
  std::optional<int> attached_;
  std::vector<Entry> sections_;  // headings that the line stands under; views into the source
};

}  // namespace

bool looks_like_nvidia_smi_query(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
    return line.text.find("==NVSMI LOG==") != std::string::npos || bus_in(line.text);
  });
}

void read_nvidia_smi_query(const TextSource& source, ImportedNode& node) {
  Reader(source, node).read();
}

}  // namespace splitbench
