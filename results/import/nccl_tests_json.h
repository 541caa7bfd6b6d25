// What nccl-tests writes with --output_file: one run. Booleans are strings there, a number that is
// none is "nan", and a run that did not end has no end_time. Its environment ("env") and command
// line ("args") are never looked at but for the program's name. Source: NVIDIA/nccl-tests,
// src/util.cu, version 2 of the document.
#pragma once

#include <vector>

#include "results/import/collective_run.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_nccl_tests_json(const TextSource& source);

// Examined, one for each type and operation. Throws BadDocument with the JSON pointer.
std::vector<CollectiveRun> read_nccl_tests_json(const TextSource& source);

}  // namespace splitbench
