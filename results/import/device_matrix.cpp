#include "results/import/device_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace splitbench {
namespace {

constexpr std::size_t kMostDevices = 256;  // network adapters among them
constexpr std::array<std::string_view, 9> kKinds{"X",   "SYS", "NODE", "PHB", "PXB",
                                                 "PIX", "SOC", "PSB",  "C2C"};
constexpr std::array<std::string_view, 8> kStatuses{"X",   "OK", "CNS", "GNS",
                                                    "TNS", "NS", "DR",  "U"};
constexpr std::array<std::string_view, 3> kFurther{"CPU Affinity", "NUMA Affinity", "GPU NUMA ID"};

using IsCell = bool (*)(std::string_view);
using Words = std::vector<std::string_view>;

// A word that names a device: letters, then a number, "mlx5_0" among them.
bool is_device(std::string_view word) {
  return word.size() > 2 && word.size() < 32 &&
         std::isalpha(static_cast<unsigned char>(word.front())) != 0 &&
         std::isdigit(static_cast<unsigned char>(word.back())) != 0;
}

std::vector<std::string> further_in(std::string_view line) {
  std::vector<std::string> found;
  for (const std::string_view name : kFurther) {
    if (line.find(name) != std::string_view::npos) found.emplace_back(name);
  }
  return found;
}

// Devices of a line that names nothing but devices and further columns; none for any other line.
std::optional<std::vector<std::string>> named_devices(std::string_view line, IsCell is_cell) {
  const std::size_t further =
      std::min({line.find("CPU Aff"), line.find("NUMA"), line.find("GPU NUMA"), line.size()});
  std::vector<std::string> devices;
  for (const std::string_view word : words_of(line.substr(0, further))) {
    if (!is_device(word) || is_cell(word)) return std::nullopt;
    devices.emplace_back(word);
  }
  return devices;
}

bool is_header(std::string_view line, IsCell is_cell) {
  const auto devices = named_devices(line, is_cell);
  return devices && !devices->empty() && is_gpu(devices->front());
}

// Further columns of a row between tabs. Rows have tabs to spare: empty cells beyond those that the
// header names are taken out, from the right.
std::vector<std::optional<std::string>> behind_tabs(std::string_view rest, std::size_t count) {
  std::vector<std::string_view> cells = cells_of(rest);
  if (!cells.empty() && cells.front().empty()) cells.erase(cells.begin());
  while (cells.size() > count) {
    const auto empty = std::find(cells.rbegin(), cells.rend(), std::string_view());
    if (empty == cells.rend()) return {};
    cells.erase(std::prev(empty.base()));
  }
  std::vector<std::optional<std::string>> values(count);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!cells[i].empty()) values[i] = std::string(cells[i]);
  }
  return values;
}

std::vector<std::optional<std::string>> behind_blanks(std::string_view rest, std::size_t count) {
  const Words words = words_of(rest);
  if (words.size() != count) return {};  // which one is missing nobody can tell
  return {words.begin(), words.end()};
}

class Reader {
 public:
  Reader(const TextSource& source, IsCell is_cell) : source_(source), is_cell_(is_cell) {}

  std::vector<DeviceMatrix> read() {
    for (const TextLine& line : source_.lines()) read_line(line);
    finish();
    return std::move(matrices_);
  }

 private:
  void read_line(const TextLine& line) {
    const Words words = words_of(line.text);
    if (words.empty()) return;
    if (is_header(line.text, is_cell_)) return read_header(line);
    if (!open_) return;
    if (matrix_.rows.empty() && read_more_header(line)) return;
    const auto named = std::find(matrix_.devices.begin(), matrix_.devices.end(), words.front());
    if (named != matrix_.devices.end()) return read_row(line, words);
    if (!matrix_.rows.empty() && !whole(matrix_.rows.back()) && is_cell_(words.front())) {
      return add_cells(matrix_.rows.back(), line, line.text);
    }
    if (!matrix_.rows.empty()) finish();
  }

  void read_header(const TextLine& line) {
    finish();
    open_ = true;
    matrix_.line = line.number;
    matrix_.devices = *named_devices(line.text, is_cell_);
    matrix_.further = further_in(line.text);
    check_devices(line.number);
  }

  // A header that a terminal wrapped.
  bool read_more_header(const TextLine& line) {
    const auto more = named_devices(line.text, is_cell_);
    const auto further = further_in(line.text);
    if (!more || (more->empty() && further.empty())) return false;
    matrix_.devices.insert(matrix_.devices.end(), more->begin(), more->end());
    matrix_.further.insert(matrix_.further.end(), further.begin(), further.end());
    check_devices(line.number);
    return true;
  }

  void check_devices(std::size_t line) const {
    const auto& devices = matrix_.devices;
    if (devices.size() > kMostDevices) {
      source_.fail(line, fmt::format("more than {} devices", kMostDevices));
    }
    std::vector<std::string> sorted = devices;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) source_.fail(line, fmt::format("{} is there twice", *twice));
  }

  void read_row(const TextLine& line, const Words& words) {
    if (!matrix_.rows.empty() && !whole(matrix_.rows.back())) fail_short(matrix_.rows.back());
    const bool again = std::any_of(matrix_.rows.begin(), matrix_.rows.end(),
                                   [&](const MatrixRow& row) { return row.device == words[0]; });
    if (again) source_.fail(line.number, fmt::format("a second row of {}", words[0]));
    matrix_.rows.push_back(
        {.line = line.number, .device = std::string(words[0]), .cells = {}, .behind = {}});
    const auto behind_name =
        static_cast<std::size_t>(words[0].data() + words[0].size() - line.text.data());
    add_cells(matrix_.rows.back(), line, std::string_view(line.text).substr(behind_name));
  }

  void add_cells(MatrixRow& row, const TextLine& line, std::string_view text) {
    std::size_t end = 0;
    for (const std::string_view word : words_of(text)) {
      if (whole(row)) break;
      if (!is_cell_(word) && (is_topology_kind(word) || is_peer_status(word))) {
        return discard();
      }
      if (!is_cell_(word)) {
        source_.fail(line.number, fmt::format("'{}' where {} and {} meet is not understood", word,
                                              row.device, matrix_.devices[row.cells.size()]));
      }
      row.cells.emplace_back(word);
      end = static_cast<std::size_t>(word.data() + word.size() - text.data());
    }
    if (!whole(row)) return;
    const std::string_view rest = text.substr(end);
    const auto words = words_of(rest);
    if (!words.empty() && is_cell_(words.front()) && words.front() != "N/A") {
      source_.fail(line.number, fmt::format("{} has more cells than there are columns, {}",
                                            row.device, matrix_.devices.size()));
    }
    const std::size_t count = matrix_.further.size();
    row.behind = rest.find('\t') == std::string_view::npos ? behind_blanks(rest, count)
                                                           : behind_tabs(rest, count);
  }

  bool whole(const MatrixRow& row) const { return row.cells.size() == matrix_.devices.size(); }

  [[noreturn]] void fail_short(const MatrixRow& row) const {
    source_.fail(row.line, fmt::format("{} has {} cells; expected {}, one for each column",
                                       row.device, row.cells.size(), matrix_.devices.size()));
  }

  void finish() {
    if (open_ && !matrix_.rows.empty()) {
      if (!whole(matrix_.rows.back())) fail_short(matrix_.rows.back());
      matrices_.push_back(std::move(matrix_));
    }
    discard();
  }

  // A matrix of the other kind.
  void discard() {
    matrix_ = {};
    open_ = false;
  }

  const TextSource& source_;
  IsCell is_cell_;
  std::vector<DeviceMatrix> matrices_;
  DeviceMatrix matrix_;
  bool open_ = false;
};

}  // namespace

bool is_topology_kind(std::string_view word) {
  if (std::find(kKinds.begin(), kKinds.end(), word) != kKinds.end()) return true;
  return word.starts_with("NV") && word.size() > 2 && word.size() < 6 &&
         word.find_first_not_of("0123456789", 2) == std::string_view::npos;
}

bool is_peer_status(std::string_view word) {
  return std::find(kStatuses.begin(), kStatuses.end(), word) != kStatuses.end();
}

bool is_gpu(std::string_view device) {
  return device.starts_with("GPU") && device.size() > 3 && device.size() < 8 &&
         device.find_first_not_of("0123456789", 3) == std::string_view::npos;
}

bool names_gpu_first(std::string_view line) {
  return trimmed(line).starts_with("GPU");
}

int gpu_number(std::string_view device) {
  return static_cast<int>(*whole_number_in(device.substr(3)));
}

void DeviceMatrix::check_complete(const TextSource& source) const {
  for (const std::string& device : devices) {
    const bool there = std::any_of(rows.begin(), rows.end(),
                                   [&](const MatrixRow& row) { return row.device == device; });
    if (is_gpu(device) && !there) {
      source.fail(line, fmt::format("{} has a column and no row: the matrix is cut", device));
    }
  }
}

std::vector<DeviceMatrix> device_matrices(const TextSource& source, IsCell is_cell) {
  return Reader(source, is_cell).read();
}

}  // namespace splitbench
