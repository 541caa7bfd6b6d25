// A run carried out once more, as it was commanded, to confirm what was found.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/interruption.h"
#include "results/result_view.h"

namespace splitbench::cli {

struct Rerun {
  std::vector<std::string> command;  // of the run to be confirmed
  std::filesystem::path store;       // where the new one is kept
  std::string confirms;              // the id of the run to be confirmed
};

// The arguments of a `run` command line (the program's name first) without its --out, --store and
// --format, with another store and JSON on standard output; the run marks itself when it begins,
// and ends when `parent` does. Throws InvalidInput for a command that is none.
std::vector<std::string> rerun_arguments(const Rerun& request, pid_t parent);

// Waits for its end. A signal is passed on to it, and then there is nothing to tell. Relative paths
// of the command are those of this directory. Throws HarnessError where it cannot be started or
// gives no result.
std::optional<ResultView> rerun(const Rerun& request, const Interruption& interruption);

}  // namespace splitbench::cli
