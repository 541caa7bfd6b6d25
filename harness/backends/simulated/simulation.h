// A session of the split operation as events: every rank has a timeline, work moves it on, and a
// collective begins when the last rank arrives and ends for all at once. What an arm takes, T1 and
// T_N among them, is where the timelines end; no formula of the model is used.
//
// Virtual time: the session's clock goes on by what each sample takes, and by nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/backends/simulated/noise.h"
#include "harness/backends/simulated/pace.h"
#include "harness/backends/simulated/scenario.h"
#include "model/measurements.h"
#include "model/operation.h"
#include "protocols/plan.h"

namespace splitbench::simulated {

// Seconds of one layer of an operation, without noise.
struct LayerTimes {
  double serial = 0;
  double serial_all_ranks = 0;
  double product = 0;
  double shard = 0;  // all ranks at once
  double shard_alone = 0;
};
LayerTimes layer_times(const Scenario& scenario, const Operation& operation, int ranks);

// Of one all-reduce, from the arrival of the last rank, without noise. `message` in bytes.
double collective_seconds(const Scenario& scenario, double message, int ranks);

// Whether a device can hold the weights of all layers.
bool fits_one_device(const Scenario& scenario, const Operation& operation);

// Weights that each rank holds: all of them where they fit, else its share.
Bytes memory_peak(const Scenario& scenario, const Operation& operation, int ranks);

class Simulation {
 public:
  Simulation(Scenario scenario, int ranks, std::uint64_t seed, int session);

  // `repeats` samples of one step. Blocks have the shapes of the host backend's: `serial` on all
  // ranks and `shard` are stamped by layer, `split` around each collective. Throws HarnessError
  // where a rank hangs: nothing is left that could happen.
  Block run(const Operation& operation, const Step& step, int repeats);

  double now() const { return now_; }  // seconds since the session began
  int ranks() const { return ranks_; }
  int session() const { return session_; }
  const Scenario& scenario() const { return scenario_; }

  // The script's wrong data, if their time has come.
  const Fault* wrong_data() const;

 private:
  class Sample;

  bool is_due(const Fault& fault, double at) const;

  Scenario scenario_;
  int ranks_;
  int session_;
  SessionNoise noise_;
  Pace pace_;
  double now_ = 0.0;
  // Of the sample that is taken, by rank, in seconds since its release.
  std::vector<double> clock_;
  std::vector<double> start_;
  std::vector<double> last_stamp_;
};

}  // namespace splitbench::simulated
