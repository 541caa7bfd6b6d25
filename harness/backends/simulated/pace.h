// How fast work goes while a session lasts: the slowdowns of a scenario as rates.
#pragma once

#include <vector>

#include "harness/backends/simulated/scenario.h"

namespace splitbench::simulated {

class Pace {
 public:
  explicit Pace(std::vector<Slowdown> slowdowns) : slowdowns_(std::move(slowdowns)) {}

  // How long `seconds` of work take that begin `now` seconds after the session did. `rank` has no
  // value for what all ranks do together. Exact: no step of time.
  double duration(Work work, std::optional<int> rank, double now, double seconds) const;

 private:
  std::vector<Slowdown> slowdowns_;
};

}  // namespace splitbench::simulated
