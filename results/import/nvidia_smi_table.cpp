#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "results/import/nvidia_smi.h"

namespace splitbench {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

// What stands between the bars of "| a | b | c |"; none of another line.
std::optional<std::vector<std::string_view>> bar_cells(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return std::nullopt;
  std::vector<std::string_view> cells;
  line.remove_prefix(1);
  for (std::size_t bar = 0; (bar = line.find('|')) != std::string_view::npos;) {
    cells.push_back(trimmed(line.substr(0, bar)));
    line.remove_prefix(bar + 1);
  }
  return cells;
}

// "00000000:B4:00.0" with what may stand beside it.
std::optional<std::string> bus_in(std::string_view cell) {
  for (const std::string_view word : words_of(cell)) {
    if (std::count(word.begin(), word.end(), ':') == 2 &&
        word.find('.') != std::string_view::npos) {
      std::string bus(word);
      std::transform(bus.begin(), bus.end(), bus.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      return bus;
    }
  }
  return std::nullopt;
}

// "NVIDIA GeForce RTX 2080 ...    Off" and the like: the last word is the mode of the driver.
std::string name_in(std::string_view text) {
  constexpr std::array<std::string_view, 7> kModes{"On",  "Off",  "N/A", "WDDM",
                                                   "TCC", "MCDM", "ERR!"};
  const auto words = words_of(text);
  if (!words.empty() && std::find(kModes.begin(), kModes.end(), words.back()) != kModes.end()) {
    text = text.substr(0, static_cast<std::size_t>(words.back().data() - text.data()));
  }
  return std::string(trimmed(text));
}

// "214MiB /   8192MiB": the second.
std::optional<Bytes> memory_in(std::string_view cell) {
  const std::size_t slash = cell.find('/');
  const std::size_t unit = slash == std::string_view::npos ? slash : cell.find("MiB", slash);
  if (unit == std::string_view::npos) return std::nullopt;
  const auto size = number_in(trimmed(cell.substr(slash + 1, unit - slash - 1)));
  if (!size || !(*size > 0.0)) return std::nullopt;
  return Bytes(kMebibyte * *size);
}

std::string value_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  const auto words = words_of(line.substr(at + key.size()));
  return words.empty() ? std::string() : std::string(words.front());
}

class Reader {
 public:
  Reader(const TextSource& source, ImportedNode& node) : source_(source), node_(node) {}

  void read() {
    for (const TextLine& line : source_.lines()) read_line(line);
    if (seen_.empty()) source_.fail(1, "an nvidia-smi table without a device: it is cut");
    node_.formats.emplace_back("nvidia-smi");
  }

 private:
  void read_line(const TextLine& line) {
    const std::string_view text = line.text;
    if (text.find("NVIDIA-SMI ") != std::string_view::npos) read_versions(text);
    const auto cells = bar_cells(text);
    if (!cells) return;
    if (!cells->empty() && (cells->front() == "Processes:" || cells->front() == "MIG devices:")) {
      in_instances_ = cells->front() == "MIG devices:";
      device_ = nullptr;
      return;
    }
    if (cells->size() == 3) read_device_line(line.number, *cells);
    if (in_instances_ && cells->size() >= 3) read_instance(cells->front());
  }

  void read_versions(std::string_view text) {
    for (const auto& [key, name] :
         {std::pair("Driver Version:", "driver"), {"CUDA Version:", "cuda"}}) {
      const std::string value = value_after(text, key);
      if (!value.empty() && value != "|") node_.software[name] = value;
    }
  }

  void read_device_line(std::size_t line, const std::vector<std::string_view>& cells) {
    const auto words = words_of(cells[0]);
    const auto bus = bus_in(cells[1]);
    if (bus && !words.empty()) {
      const auto number = whole_number_in(words[0]);
      if (!number || *number < 0 || *number > 1023) {
        source_.fail(line, fmt::format("'{}' is no number of a device", words[0]));
      }
      if (!seen_.insert(static_cast<int>(*number)).second) {
        source_.fail(line, fmt::format("a second device {}; expected one node", *number));
      }
      device_ = &node_.devices[static_cast<int>(*number)];
      device_->bus = bus;
      const std::string name = name_in(cells[0].substr(static_cast<std::size_t>(words[0].size())));
      device_->name_is_cut = name.ends_with("...");
      device_->name = name;
    } else if (device_ != nullptr && memory_in(cells[1])) {
      device_->memory = memory_in(cells[1]);
    } else if (device_ != nullptr && cells[0].empty() && cells[1].empty()) {
      if (cells[2] != "N/A") device_->mig = cells[2] == "Enabled";
      device_ = nullptr;
    }
  }

  // "0    2   0   0": GPU, GPU instance, compute instance, number.
  void read_instance(std::string_view cell) {
    const auto words = words_of(cell);
    if (words.size() != 4) return;
    const auto number = whole_number_in(words[0]);
    if (!number || !seen_.contains(static_cast<int>(*number))) return;
    ++node_.devices[static_cast<int>(*number)].mig_instances;
  }

  const TextSource& source_;
  ImportedNode& node_;
  ImportedDevice* device_ = nullptr;
  std::set<int> seen_;
  bool in_instances_ = false;
};

}  // namespace

bool looks_like_nvidia_smi_table(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
    const auto cells = bar_cells(line.text);
    return cells && !cells->empty() &&
           (cells->front().starts_with("NVIDIA-SMI ") ||
            (cells->size() == 3 && bus_in((*cells)[1]) && !words_of(cells->front()).empty()));
  });
}

void read_nvidia_smi_table(const TextSource& source, ImportedNode& node) {
  Reader(source, node).read();
}

}  // namespace splitbench
