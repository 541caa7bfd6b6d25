// The runs of one machine and protocol in order of time, as the gate and the history read them.
#pragma once

#include <string>
#include <vector>

#include "results/result_view.h"
#include "results/store.h"

namespace splitbench {

struct SeriesRun {
  ResultView view;
  std::vector<Mark> marks;
};

// Complete runs that confirm no other, the oldest first. Throws StoreError, and InvalidInput for a
// result that cannot be read, naming what takes it out.
std::vector<SeriesRun> read_series(const Store& store, const std::string& fingerprint,
                                   const std::string& protocol);

}  // namespace splitbench
