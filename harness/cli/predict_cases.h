// predict --cases: the exact matrix example, computed here and now, and the worked cases of the
// model.
#pragma once

#include "harness/cli/options.h"

namespace splitbench::cli {

int print_cases(Format format);

}  // namespace splitbench::cli
