#include "harness/cli/device_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace splitbench::cli {

std::string device_table(const std::string& title, const std::string& corner,
                         const std::vector<int>& rows, const std::vector<int>& columns,
                         const std::function<std::string(int row, int column)>& cell) {
  constexpr std::size_t kAcross = 8;
  std::string text = "\n" + title + "\n";
  for (std::size_t first = 0; first < columns.size(); first += kAcross) {
    const std::size_t end = std::min(first + kAcross, columns.size());
    text += fmt::format("  {:>8}", corner);
    for (std::size_t i = first; i < end; ++i) text += fmt::format("{:>8}", columns[i]);
    text += "\n";
    for (const int row : rows) {
      text += fmt::format("  {:>8}", row);
      for (std::size_t i = first; i < end; ++i) {
        text += fmt::format("{:>8}", cell(row, columns[i]));
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace splitbench::cli
