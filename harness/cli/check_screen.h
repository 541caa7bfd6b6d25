// The outcome of checks as a table of 80 columns.
#pragma once

#include <span>
#include <string>

#include "results/check_result.h"

namespace splitbench::cli {

// A line per check, and below each that did not pass what was wanted and the line that mends it.
std::string check_screen(std::span<const CheckResult> results);

}  // namespace splitbench::cli
