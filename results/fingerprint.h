// Which machine a run ran on, as one word: runs of one fingerprint may be judged beside each other.
#pragma once

#include <string>

#include "results/node.h"

namespace splitbench {

// 16 hexadecimal digits: CRC-64/XZ over backend, kind of times, and of every rank's device its name
// and, where it has one, its uuid. Two cards of one model differ, for they differ in speed. How
// devices are joined and the software between are not in it: where these change, the runs before
// and after are just what should be compared.
std::string fingerprint(const NodeDescription& node);

}  // namespace splitbench
