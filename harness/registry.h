// The backends that this program was built with.
#pragma once

#include <string_view>
#include <vector>

#include "harness/backend.h"

namespace splitbench {

// In the order in which they are listed; they live as long as the program.
std::vector<const Backend*> backends();

// Null for a name that is not there.
const Backend* find_backend(std::string_view name);

}  // namespace splitbench
