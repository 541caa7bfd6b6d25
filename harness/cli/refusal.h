// A node that is refused because checks failed: the exit code, and what is said of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "results/check_result.h"

namespace splitbench::cli {

// Those that failed, in their order.
std::vector<CheckResult> failures(const std::vector<CheckResult>& results);

// kFault where data is wrong, a device is lost or a library hangs; else kCannotRunHere where any
// check failed; else nothing.
std::optional<ExitCode> refusal_of(const std::vector<CheckResult>& results);

// Of each failure "splitbench: check mig: ..." and "To mend it: ...", in lines of 80 columns; empty
// where nothing failed.
std::string refusal_text(const std::vector<CheckResult>& results);

}  // namespace splitbench::cli
