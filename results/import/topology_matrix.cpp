#include "results/import/topology_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/import/device_matrix.h"

namespace splitbench {
namespace {

const MatrixRow& row_of(const DeviceMatrix& matrix, const std::string& device) {
  return *std::find_if(matrix.rows.begin(), matrix.rows.end(),
                       [&](const MatrixRow& row) { return row.device == device; });
}

std::vector<Link> links_in(const DeviceMatrix& matrix, const TextSource& source) {
  std::vector<Link> links;
  for (std::size_t a = 0; a < matrix.devices.size(); ++a) {
    if (!is_gpu(matrix.devices[a])) continue;
    const MatrixRow& row = row_of(matrix, matrix.devices[a]);
    if (row.cells[a] != "X") {
      source.fail(row.line, fmt::format("expected X where {} meets itself, found {}", row.device,
                                        row.cells[a]));
    }
    for (std::size_t b = a + 1; b < matrix.devices.size(); ++b) {
      if (!is_gpu(matrix.devices[b])) continue;
      const MatrixRow& other = row_of(matrix, matrix.devices[b]);
      if (row.cells[b] != other.cells[a] || row.cells[b] == "X") {
        source.fail(other.line,
                    fmt::format("{} and {} are {} in one row and {} in the other", row.device,
                                other.device, row.cells[b], other.cells[a]));
      }
      const int x = gpu_number(row.device);
      const int y = gpu_number(other.device);
      links.push_back({.a = std::min(x, y),
                       .b = std::max(x, y),
                       .kind = row.cells[b],
                       .path = path_of_kind(row.cells[b])});
    }
  }
  return links;
}

std::optional<std::string> behind(const DeviceMatrix& matrix, const MatrixRow& row,
                                  std::string_view name) {
  const auto column = std::find(matrix.further.begin(), matrix.further.end(), name);
  const auto at = static_cast<std::size_t>(column - matrix.further.begin());
  if (at >= row.behind.size() || row.behind[at] == "N/A") return std::nullopt;
  return row.behind[at];
}

void add_devices(const DeviceMatrix& matrix, ImportedNode& node) {
  for (const MatrixRow& row : matrix.rows) {
    if (!is_gpu(row.device)) continue;
    ImportedDevice& device = node.devices[gpu_number(row.device)];
    device.cpu_affinity = behind(matrix, row, "CPU Affinity");
    const auto numa = behind(matrix, row, "NUMA Affinity");
    const auto number = numa ? whole_number_in(*numa) : std::nullopt;
    if (number && *number >= 0 && *number < 1'000'000) device.numa_node = static_cast<int>(*number);
  }
}

// "NIC0: mlx5_0" of the legend, else the columns as they are called.
void add_network(const DeviceMatrix& matrix, const TextSource& source, ImportedNode& node) {
  for (const std::string& device : matrix.devices) {
    if (is_gpu(device)) continue;
    std::string name = device;
    for (const TextLine& line : source.lines()) {
      const std::string_view text = trimmed(line.text);
      if (line.number > matrix.line && text.starts_with(device + ":")) {
        name = fmt::format("{} ({})", device, trimmed(text.substr(device.size() + 1)));
        break;
      }
    }
    node.network.push_back(name);
  }
}

}  // namespace

bool looks_like_topology_matrix(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
    if (!names_gpu_first(line.text)) return false;
    const auto words = words_of(line.text);
    if (words.size() < 2 || !is_gpu(words[0]) || !is_topology_kind(words[1])) return false;
    // A matrix of GPU0 alone has X as its only cell.
    const std::string_view next = words.size() > 2 ? words[2] : "N/A";
    return words[1] != "X" || is_topology_kind(next) || next == "N/A" ||
           std::isdigit(static_cast<unsigned char>(next.front())) != 0;
  });
}

void read_topology_matrix(const TextSource& source, ImportedNode& node) {
  const std::vector<DeviceMatrix> matrices = device_matrices(source, is_topology_kind);
  if (matrices.empty()) {
    source.fail(1, "rows of a topology matrix, and no header that names its columns");
  }
  const DeviceMatrix& matrix = matrices.front();
  matrix.check_complete(source);
  std::vector<Link> links = links_in(matrix, source);
  for (const DeviceMatrix& other : matrices) {
    other.check_complete(source);
    if (other.devices != matrix.devices || links_in(other, source) != links) {
      source.fail(other.line,
                  fmt::format("a second topology, and another one than that of line {}; "
                              "expected one node",
                              matrix.line));
    }
  }
  node.formats.emplace_back("nvidia-smi topo -m");
  node.links.insert(node.links.end(), links.begin(), links.end());
  add_devices(matrix, node);
  add_network(matrix, source, node);
}

}  // namespace splitbench
