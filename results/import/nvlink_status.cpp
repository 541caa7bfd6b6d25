#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/import/nvidia_smi.h"

namespace splitbench {
namespace {

// "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-d7e5...)"
struct Heading {
  int number = 0;
  std::string name;
  std::string uuid;
};

std::optional<Heading> heading_in(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("GPU ")) return std::nullopt;
  const std::size_t colon = line.find(": ");
  const std::size_t open = line.find("(UUID: ");
  const std::size_t close = line.find(')', open == std::string_view::npos ? line.size() : open);
  if (close == std::string_view::npos || colon > open) return std::nullopt;
  const auto number = whole_number_in(trimmed(line.substr(4, colon - 4)));
  if (!number || *number < 0 || *number > 1023) return std::nullopt;
  return Heading{static_cast<int>(*number),
                 std::string(trimmed(line.substr(colon + 2, open - colon - 2))),
                 std::string(line.substr(open + 7, close - open - 7))};
}

// "Link 3: 26.562 GB/s", one way; "<inactive>" is a link that is down.
std::optional<double> rate_in(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() != 4 || words[0] != "Link" || words[3] != "GB/s") return std::nullopt;
  return number_in(words[2]);
}

bool is_link(std::string_view line) {
  const auto words = words_of(line);
  return words.size() >= 3 && words[0] == "Link" && words[1].ends_with(':') &&
         (rate_in(line) || words[2] == "<inactive>");
}

bool contains(std::string_view line, std::string_view part) {
  return line.find(part) != std::string_view::npos;
}

// The sentences with which the tool says that no link is up, and that it cannot look.
bool says_none(std::string_view line) {
  return contains(line, "links are inActive") || contains(line, "not have or support Nvlink");
}
bool says_unknown(std::string_view line) {
  return contains(line, "not supported for Devices in MIG mode");
}

class Reader {
 public:
  Reader(const TextSource& source, ImportedNode& node) : source_(source), node_(node) {}

  void read() {
    for (const TextLine& line : source_.lines()) read_line(line);
    node_.formats.emplace_back("nvidia-smi nvlink");
  }

 private:
  void read_line(const TextLine& line) {
    if (const auto heading = heading_in(line.text)) {
      device_ = &node_.devices[heading->number];
      fresh_ = true;
      if (device_->uuid && *device_->uuid != heading->uuid) {
        source_.fail(line.number,
                     fmt::format("a second device {}; expected one node", heading->number));
      }
      device_->uuid = heading->uuid;
      device_->name = heading->name;
      device_->name_is_cut = false;
    } else if (device_ != nullptr && is_link(line.text)) {
      read_link(line.text);
    } else if (device_ != nullptr && (says_none(line.text) || says_unknown(line.text))) {
      device_->no_nvlinks = std::string(trimmed(line.text));
      if (says_none(line.text)) device_->nvlinks.emplace();
    } else if (trimmed(line.text) == "[...]" && device_ != nullptr && !fresh_) {
      node_.notes.push_back(fmt::format("line {}: links of a device were left out", line.number));
    }
  }

  void read_link(std::string_view line) {
    if (fresh_ || !device_->nvlinks) device_->nvlinks.emplace();
    fresh_ = false;
    if (const auto rate = rate_in(line); rate && *rate > 0.0) {
      device_->nvlinks->push_back(BytesPerSecond(1e9 * *rate));
    }
  }

  const TextSource& source_;
  ImportedNode& node_;
  ImportedDevice* device_ = nullptr;
  bool fresh_ = false;  // none of its links has been read
};

}  // namespace

bool looks_like_nvlink_status(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(),
                     [](const TextLine& line) { return heading_in(line.text).has_value(); });
}

void read_nvlink_status(const TextSource& source, ImportedNode& node) {
  Reader(source, node).read();
}

}  // namespace splitbench
