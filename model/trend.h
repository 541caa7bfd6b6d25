// Whether times still change from round to round: a rank test for a trend, exact in small samples.
//
// S is the number of pairs of rounds of which the later is longer, less those of which it is
// shorter. Without a trend every order of a series is equally likely, which gives the distribution
// of S (H. B. Mann, Econometrica 13, 1945; M. G. Kendall, "Rank Correlation Methods", 1948); over
// several series, S of each added up, that of their sum (R. M. Hirsch, J. R. Slack, R. A. Smith,
// Water Resources Research 18, 1982). Made for times that fall or rise
// through all rounds; of a jump it sees less, as pairs on one side of it count as they come.
// Rounds, not the samples in them, are taken to be independent. Devices that differ are no trend:
// what two of them took in turn is two series.
#pragma once

#include <span>
#include <vector>

#include "model/answer.h"

namespace splitbench {

// What a round takes, from its first rounds to its last.
struct Trend {
  double p_value = 1.0;  // the probability of an |S| at least as large without any trend
  double change = 0.0;   // the later half of a series over its earlier half, less 1: mean of all
};

// `series`: one value above 0 per round, in order; of one session, or of several. Equal values
// count for neither side, which makes the test cautious. None where not even a series that always
// grows would have a p value of `alpha` or less: too few rounds to find anything.
Answer<Trend> find_trend(std::span<const std::vector<double>> series, double alpha);

// What one round took, and on which device.
struct RoundTime {
  int device = 0;
  double time = 0.0;
};

// A series of each device, in the order of the rounds.
std::vector<std::vector<double>> by_device(std::span<const RoundTime> rounds);

// Whether none of the steps of a warm-up still changes: has a trend over its rounds and by more
// than `least_change`. `false_alarms`: the chance that some seems to by accident (Bonferroni).
// Rounds so few that nothing could be found are quiet.
bool is_quiet(std::span<const std::vector<RoundTime>> steps, double false_alarms,
              double least_change);

}  // namespace splitbench
