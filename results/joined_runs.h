// Runs of an all-reduce that are used as one: of the same GPUs, and alike at equal sizes.
#pragma once

#include <string>
#include <vector>

#include "results/import/collective_run.h"

namespace splitbench {

struct RunOfFile {
  std::string file;
  const CollectiveRun* run = nullptr;
};

// Times of one size that differ by more say that something else was measured: another link, or a
// node that did something else. A link's own times differ by up to 8.5 % between collections at
// large messages, those of the smallest by more; docs/importers.md "fit".
inline constexpr double kMostSpread = 2.0;

// Throws BadDocument at the run that is of other GPUs than the first (of another model, on another
// number of hosts, at other addresses on the bus), or of which a time is more than kMostSpread
// times that of another run at the same size, with both named. Else the largest of those ratios, 1
// where no size is in two runs.
double joined_spread(const std::vector<RunOfFile>& runs);

// What a reader is told of it; empty where it is within what collections of one table differ by.
std::string spread_note(double spread);

}  // namespace splitbench
