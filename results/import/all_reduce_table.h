// Times of an all-reduce as a table of tab-separated columns: `message_bytes` and `latency_us`,
// with `ranks` where there are several numbers of them. For PyTorch and other programs that print
// no nccl-tests table; the format is docs/replay.md's.
#pragma once

#include <vector>

#include "results/import/collective_run.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_all_reduce_table(const TextSource& source);

// One run for each number of ranks, or one that does not know it. Throws BadDocument as read_tsv.
std::vector<CollectiveRun> read_all_reduce_table(const TextSource& source);

}  // namespace splitbench
