// Which rounds of a run count.
#pragma once

#include <cstddef>
#include <vector>

#include "results/run_record.h"

namespace splitbench {

// Some session's checks failed at some point: no number of the run counts.
bool any_check_failed(const std::vector<SessionRecord>& sessions);

// The rounds with the reason of each that does not count, also where nobody gave it one yet: a
// session that left no record of its checks has rounds that nobody may believe, and one of whose
// rounds more than half are void no fair sample.
std::vector<RoundRecord> with_void_reasons(std::vector<RoundRecord> rounds,
                                           const std::vector<SessionRecord>& sessions,
                                           std::size_t points);

// Sessions with at least one round that counts.
std::size_t counted_sessions(const std::vector<RoundRecord>& rounds);

}  // namespace splitbench
