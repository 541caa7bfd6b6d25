#include "results/import/p2p_bandwidth_latency.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/import/number_matrix.h"

namespace splitbench {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A unit that ends a title of a matrix.
struct Unit {
  const char* written;
  const char* name;
  double factor;
};
constexpr Unit kUnits[] = {{"(GB/s)", "bytes_per_s", 1e9},
                           {"(us)", "s", 1e-6},
                           {"(\xC2\xB5s)", "s", 1e-6},
                           {"(\xCE\xBCs)", "s", 1e-6}};

struct Title {
  std::string name;
  const Unit* unit = nullptr;
};

// "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)", as a heading of a page too; no
// unit where it is none of the tool's.
std::optional<Title> title_in(std::string_view line) {
  line = trimmed(line);
  while (line.starts_with('#')) line = trimmed(line.substr(1));
  if (!contains(line, "P2P=")) return std::nullopt;
  for (const Unit& unit : kUnits) {
    if (line.ends_with(unit.written)) {
      return Title{std::string(trimmed(line.substr(0, line.find(unit.written)))), &unit};
    }
  }
  if (unit_at_end(line).empty()) return std::nullopt;
  return Title{std::string(line)};
}

class Reader {
 public:
  Reader(const TextSource& source, ImportedNode& node) : source_(source), node_(node) {}

  void read() {
    const auto& lines = source_.lines();
    for (std::size_t i = 0; i < lines.size();) i = read_from(i);
    if (node_.matrices.empty())
      source_.fail(1, "no whole matrix of p2pBandwidthLatencyTest: it is cut");
    node_.formats.emplace_back("p2pBandwidthLatencyTest");
  }

 private:
  std::size_t read_from(std::size_t i) {
    const TextLine& line = source_.lines()[i];
    if (auto title = title_in(line.text)) {
      title_ = std::move(*title);
      if (title_.unit == nullptr) {
        source_.fail(line.number, fmt::format("'{}': expected (GB/s) or (us), as the tool writes",
                                              unit_at_end(title_.name)));
      }
    } else if (contains(line.text, "P2P Connectivity Matrix")) {
      title_ = {};
    } else if (line.text.find("Device: ") != std::string::npos) {
      read_device(line.text);
    } else if (contains(line.text, " Access Peer Device")) {
      read_access(line.text);
    } else if (title_.unit != nullptr) {
      return read_matrix(i);
    }
    return i + 1;
  }

  // "D\D  0  1" of rates, "GPU  0  1" and "CPU  0  1" of times.
  std::size_t read_matrix(std::size_t i) {
    const auto& lines = source_.lines();
    const auto words = words_of(lines[i].text);
    if (words.empty() || (words[0] != "D\\D" && words[0] != "GPU" && words[0] != "CPU"))
      return i + 1;
    const auto columns = numbered_columns(std::span(words).subspan(1));
    if (!columns) return i + 1;
    PairMatrix matrix{.name = title_.name,
                      .unit = title_.unit->name,
                      .rows = "device",
                      .direction = contains(title_.name, "Bidirectional") ? "<->" : "->",
                      .line = lines[i].number,
                      .cells = {}};
    if (words[0] != "D\\D") matrix.name += fmt::format(", {}", words[0]);
    const std::size_t next =
        read_rows(lines, i + 1, *columns, title_.unit->factor, matrix, node_.notes);
    for (std::size_t device = 0; device < *columns; ++device)
      node_.devices[static_cast<int>(device)];
    add_matrix(std::move(matrix), source_, node_);
    return next;
  }

  // "Device: 0, NVIDIA H100 PCIe, pciBusID: c2, pciDeviceID: 0, pciDomainID:0"
  void read_device(std::string_view line) {
    const auto number = whole_number_after(line, "Device: ");
    const std::size_t name = line.find(", ");
    const std::size_t end = line.find(", pciBusID:");
    if (!number || *number > 1023 || end == std::string_view::npos || end <= name) return;
    node_.devices[static_cast<int>(*number)].name =
        std::string(trimmed(line.substr(name + 2, end - name - 2)));
  }

  // "Device=0 CANNOT Access Peer Device=1"
  void read_access(std::string_view line) {
    const auto from = whole_number_after(line, "Device=");
    const auto to = whole_number_after(line, "Peer Device=");
    if (!from || !to || *from > 1023 || *to > 1023 || *from == *to) return;
    const bool granted = !contains(line, "CANNOT");
    node_.peers.push_back({.from = static_cast<int>(*from),
                           .to = static_cast<int>(*to),
                           .status = granted ? "CAN" : "CANNOT",
                           .granted = granted});
    node_.devices[static_cast<int>(*from)];
    node_.devices[static_cast<int>(*to)];
  }

  const TextSource& source_;
  ImportedNode& node_;
  Title title_;  // of the matrix that follows
};

}  // namespace

bool looks_like_p2p_bandwidth_latency(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
    return title_in(line.text) ||
           contains(line.text, "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]");
  });
}

void read_p2p_bandwidth_latency(const TextSource& source, ImportedNode& node) {
  Reader(source, node).read();
}

}  // namespace splitbench
