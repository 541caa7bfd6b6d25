#include "results/import/nvbandwidth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "results/import/number_matrix.h"

namespace splitbench {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A rate in GB/s is one where its beginning was cut off too.
bool is_description(std::string_view line) {
  const std::string_view unit = unit_at_end(line);
  const bool is_told =
      contains(line, "bandwidth (") || contains(line, "latency") || contains(line, "GPU(column) ");
  return unit == "(GB/s)" || (is_told && !unit.empty());
}

// What is printed of a test that did not pass.
bool is_failure(std::string_view line) {
  return line.starts_with("Error:") || line.starts_with("ERROR") || line.starts_with("Failed:") ||
         line.starts_with("Invalid value when checking the pattern");
}

double sum_of(const PairMatrix& matrix) {
  double sum = 0.0;
  for (const auto& row : matrix.cells) {
    for (const auto& cell : row) sum += cell.value_or(0.0);
  }
  return sum;
}

class Reader {
 public:
  Reader(const TextSource& source, ImportedNode& node) : source_(source), node_(node) {}

  void read() {
    const auto& lines = source_.lines();
    for (std::size_t i = 0; i < lines.size();) i = read_from(i);
    if (node_.matrices.empty() && node_.unused.empty()) {
      source_.fail(1, "no whole matrix of nvbandwidth: it is cut");
    }
    if (waived_ > 0) {
      node_.notes.push_back(fmt::format("nvbandwidth: {} tests were waived there", waived_));
    }
    node_.formats.emplace_back("nvbandwidth");
  }

 private:
  std::size_t read_from(std::size_t i) {
    const std::string_view line = trimmed(source_.lines()[i].text);
    const auto words = words_of(line);
    if (line.starts_with("Running ")) {
      next_ = {};
      next_.name = line.substr(8, line.find('.', 8) - 8);
      running_ = next_.name;
      failure_.clear();
    } else if (is_failure(line)) {
      read_failure(line);
    } else if (is_description(line)) {
      const auto unit = describe(line, next_);
      if (!unit) {
        source_.fail(source_.lines()[i].number,
                     fmt::format("'{}': expected {}", unit_at_end(line), kNvbandwidthUnits));
      }
      unit_ = *unit;
    } else if (line.starts_with("Device ")) {
      read_device(line);
    } else if (line.starts_with("Waived:")) {
      ++waived_;
    } else if (line.starts_with("SUM ") && words.size() == 3) {
      read_sum(words);
    } else if (line.starts_with("Driver Version:") && words.size() > 2) {
      node_.software["driver"] = words[2];
    } else if (unit_ > 0.0) {
      if (const auto columns = numbered_columns(words)) return read_matrix(i, *columns);
    }
    return i + 1;
  }

  std::size_t read_matrix(std::size_t i, std::size_t columns) {
    const auto& lines = source_.lines();
    next_.line = lines[i].number;
    if (next_.name.empty()) next_.name = kUnnamedMatrix;
    const std::size_t next = read_rows(lines, i + 1, columns, unit_, next_, node_.notes);
    for (std::size_t device = 0; device < columns; ++device)
      node_.devices[static_cast<int>(device)];
    PairMatrix matrix = std::exchange(next_, {});
    if (failure_.empty()) {
      add_matrix(std::move(matrix), source_, node_);
    } else {
      leave_out(std::move(matrix), failure_, node_);
    }
    unit_ = 0.0;
    return next;
  }

  // Of the test that runs, whose matrix may stand before it.
  void read_failure(std::string_view line) {
    failure_ = fmt::format("nvbandwidth says '{}' of this test", line.substr(0, 80));
    if (running_.empty() || node_.matrices.empty() || node_.matrices.back().name != running_)
      return;
    leave_out(std::move(node_.matrices.back()), failure_, node_);
    node_.matrices.pop_back();
  }

  // "SUM device_to_device_memcpy_read_ce 680.42": the name once more, and a check.
  void read_sum(const std::vector<std::string_view>& words) {
    const auto sum = number_in(words[2]);
    if (node_.matrices.empty() || !sum) return;
    PairMatrix& matrix = node_.matrices.back();
    if (matrix.name == kUnnamedMatrix) matrix.name = words[1];
    if (matrix.name == words[1]) check_sum(matrix, *sum, node_.notes);
  }

  // "Device 0: Tesla T4 (00000000:3b:00)"
  void read_device(std::string_view line) {
    const auto number = whole_number_after(line, "Device ");
    const std::size_t colon = line.find(": ");
    if (!number || *number > 1023 || colon == std::string_view::npos) return;
    const std::size_t open = std::min(line.rfind(" ("), line.size());
    ImportedDevice& device = node_.devices[static_cast<int>(*number)];
    device.name = std::string(trimmed(line.substr(colon + 2, open - colon - 2)));
    if (open < line.size() && line.ends_with(')')) {
      device.bus = std::string(line.substr(open + 2, line.size() - open - 3));
    }
  }

  const TextSource& source_;
  ImportedNode& node_;
  PairMatrix next_;      // what is known of the matrix that follows
  double unit_ = 0.0;    // of its cells; 0 before it was described
  std::string running_;  // the last test that began
  std::string failure_;  // what was said of it
  int waived_ = 0;
};

}  // namespace

std::optional<double> describe(std::string_view description, PairMatrix& matrix) {
  const std::string_view unit = unit_at_end(description);
  const bool time = unit == "(ns)";
  if (!time && unit != "(GB/s)") return std::nullopt;
  matrix.unit = time ? "s" : "bytes_per_s";
  matrix.rows = contains(description, "CPU(row)") ? "host" : "device";
  matrix.direction = "unknown";
  for (const char* arrow : {"<->", "->", "<-"}) {
    if (!contains(description, fmt::format("(row) {} ", arrow))) continue;
    matrix.direction = arrow;
    break;
  }
  return time ? 1e-9 : 1e9;
}

void check_sum(const PairMatrix& matrix, double sum, std::vector<std::string>& notes) {
  const double unit = matrix.unit == "s" ? 1e-9 : 1e9;
  if (std::abs(sum_of(matrix) / unit - sum) <= 0.01 * sum + 0.1) return;
  const std::string line = matrix.line > 0 ? fmt::format(" (line {})", matrix.line) : "";
  notes.push_back(fmt::format("{}{}: its cells do not add up to its sum", matrix.name, line));
}

bool looks_like_nvbandwidth(const TextSource& source) {
  const auto& lines = source.lines();
  return std::any_of(lines.begin(), lines.end(), [](const TextLine& line) {
    const std::string_view text = trimmed(line.text);
    return text.starts_with("nvbandwidth Version") ||
           (text.starts_with("SUM ") && contains(text, "_memcpy_")) ||
           (is_description(text) && contains(text, "(row)"));
  });
}

void read_nvbandwidth(const TextSource& source, ImportedNode& node) {
  Reader(source, node).read();
}

}  // namespace splitbench
