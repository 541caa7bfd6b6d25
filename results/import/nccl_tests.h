// What nccl-tests and rccl-tests print: the header, the list of devices, a table. All layouts of
// the columns, which are found by their names; lines of NCCL's own log between; several runs in one
// text; text that is cut at either edge. Source of the layouts: NVIDIA/nccl-tests, src/util.cu and
// src/common.cu of 2.8 to 2.18; ROCm/rccl-tests, src/common.cu.
#pragma once

#include <vector>

#include "results/import/collective_run.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_nccl_tests(const TextSource& source);

// Examined runs, in their order. A run of several types or operations is one for each.
std::vector<CollectiveRun> read_nccl_tests(const TextSource& source);

}  // namespace splitbench
