// Whether the memory that this process may use holds an operation.
#pragma once

#include <optional>
#include <string>

#include "harness/error.h"
#include "protocols/protocol.h"

namespace splitbench::host {

// What all ranks together take, at most.
Bytes memory_needed(const Protocol& protocol);

// The least of what the system says is available (MemAvailable) and what the control group and its
// parents grant; 0 where neither is known. `root` is "/" but in tests.
Bytes available_memory(const std::string& root);

// Nothing where there is enough, or where it is not known how much there is.
std::optional<CannotRunHere> lack_of_memory(const Protocol& protocol, const std::string& root);

}  // namespace splitbench::host
