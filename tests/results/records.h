// Records to store: a small one with known contents, and random ones.
#pragma once

#include <string>

#include "results/run_record.h"

namespace splitbench::test {

// Two CPU cores, one point, six sessions of five rounds.
RunRecord small_run(const std::string& id);
// Two blocks of four times each; every time tells session and round.
RoundRecord small_round(int session, int round);

// For use inside rc::check: whatever these can hold, any bytes in their strings.
RunRecord random_run();
SessionRecord random_session(int session);
RoundRecord random_round(int session, int round);

// Bit for bit: NaN equals NaN, and 0 is not -0.
bool same(const RoundRecord& a, const RoundRecord& b);

}  // namespace splitbench::test
