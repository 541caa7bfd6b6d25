// What the control group of this process, and its parents, grant: version 2 and version 1.
// `root` is "/" but in tests.
#pragma once

#include <optional>
#include <string>

namespace splitbench::host {

// Cores that cpu.max (version 2) or cpu.cfs_quota_us (version 1) grants; 0 where nothing limits.
double quota_cores(const std::string& root);

// Bytes that memory.max or memory.limit_in_bytes grants; nothing where nothing limits.
std::optional<double> memory_limit(const std::string& root);

}  // namespace splitbench::host
