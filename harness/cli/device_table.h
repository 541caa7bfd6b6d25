// A matrix over numbered devices, as tables of 80 columns.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace splitbench::cli {

// Eight columns beside the rows' numbers, then the next eight. `corner` stands above the rows'
// numbers; `cell` takes the numbers of a row and a column. Begins with an empty line.
std::string device_table(const std::string& title, const std::string& corner,
                         const std::vector<int>& rows, const std::vector<int>& columns,
                         const std::function<std::string(int row, int column)>& cell);

}  // namespace splitbench::cli
