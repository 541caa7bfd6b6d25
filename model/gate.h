// Whether the newest of a series of runs is worse than those before it, in a way that chance hardly
// explains. No interval of one run carries this: what differs between nights is not in it.
// Source: docs/rules.md, "The gate"; harness/proof/year_study.h counts how often it is wrong.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/answer.h"
#include "model/change.h"

namespace splitbench {

// One run's value of what is gated.
struct GatedRun {
  double value = 0.0;
  double spread = 0.0;  // its standard error, relative: of the mean over its sessions
  int sessions = 0;     // below 2 the spread is not known
};

struct GateRule {
  double threshold = 0.0175;  // so much worse than the baseline is a shortfall, relative
  // Between runs, and of one: where it is more, by more than chance explains (99 %), nothing can be
  // said.
  double most_spread = 0.008;
  std::size_t most_runs = 14;  // in the baseline: the latest
  std::size_t least_runs = 7;  //
  // Of the runs before the judged one the newest, which the baseline is not made from: with a
  // window of three none of its runs is in the baseline that it is held against.
  std::size_t left_out = 2;
  std::size_t window = 3;      // of so many newest runs, the judged one among them,
  std::size_t shortfalls = 2;  // so many fall short of the baseline: a regression
};
// Throws InvalidInput, naming the member, for a threshold or spread outside (0, 1), a baseline of
// fewer than 2 runs or of more at least than at most, a window that cannot hold the shortfalls.
void check(const GateRule& rule);
// What the rule is for T_N, whose noise the ratio T1 / T_N is free of.
GateRule time_rule();

enum class GateOutcome { pass, regression, learning, unknown };
std::string_view name(GateOutcome outcome);
// Why a gate says no more than it does; `none` where it passed or found a regression.
enum class GateCause {
  none,
  few_runs,             // learning
  noisy_run,            // its own spread
  one_session,          // which leaves no spread
  noisy_baseline,       // what differs between its runs
  least_effect,         // equal things seem to differ by so much that a shortfall may be none
  zero,                 // a value that is 0 or below
  not_finite,           // NaN or infinite
  baseline_zero,        // of a run that the baseline would be made from
  baseline_not_finite,  //
  // Of what surrounds the numbers, which is for others to look at.
  no_value,          // the run has none, or its result was not read as one
  not_complete,      // the run ended early or is void
  not_real,          // times of a simulation, of tables, of stand-ins
  no_verdict,        // the node allows none
  baseline_missing,  // no such run
  baseline_foreign,  // of another machine, protocol or point
};
std::string_view name(GateCause cause);  // "few-runs"

struct GateBaseline {
  double value = 0.0;  // geometric mean
  std::size_t runs = 0;
  // Relative standard deviation of one run about the next ones, from successive differences, so
  // that one step in the series does not count as noise (von Neumann et al., Annals of Mathematical
  // Statistics 12, 1941).
  double spread = 0.0;
};

struct GateJudgement {
  GateOutcome outcome = GateOutcome::unknown;
  GateCause cause = GateCause::none;
  std::string reason;      // a sentence without its full stop
  double threshold = 0.0;  // the rule's, or what the least effect makes of a baseline, if larger
  Answer<GateBaseline> baseline = Answer<GateBaseline>::none("not judged");
  // 1 - value / baseline where higher is better, 1 - baseline / value where lower is: above 0 the
  // run is worse. Of the newest runs, at most `window`, the judged one last.
  std::vector<double> shortfalls;
};

// Judges the last of `runs`, in order of time, all since what was accepted last. `least_effect`:
// how far two equal things seem to differ in the last run, the logarithm of a ratio; 0 where nobody
// looked.
//
// What is worse by a logarithm x falls short by 1 - e^-x, so that is what a least effect above the
// rule's threshold makes of it. Runs that fall short of the rule's threshold and not of that are
// unknown, where so many would make a regression: nobody can say what they are. So is a run whose
// least effect hides the rule's threshold and lies beyond any A/A interval that holds 0 and has a
// spread within the rule: twice its half width, 2 t s, at 90 % and with s as of a noisy run.
//
// Earlier runs whose own spread is too large, or not known, are passed over. A run of a regression
// stays out of every later baseline: an alarm does not pass by waiting until the baseline has sunk
// to it. Throws InvalidInput for no run at all, a least effect below 0 or NaN, and where check()
// does.
GateJudgement judge_newest(std::span<const GatedRun> runs, Better better, const GateRule& rule,
                           double least_effect);

}  // namespace splitbench
