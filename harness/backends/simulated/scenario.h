// What the simulated devices are like: true times, noise around them, scripted faults. One JSON
// object, every key of which may be left out; docs/simulation.md lists them.
//
// Base units. Times are of one layer, logarithms natural. What is true of a sample follows from the
// events of the simulation (simulation.h), never from the formulas of the model.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "protocols/arm.h"

namespace splitbench::simulated {

// What a rank spends its time on. `start` is the way from the common release to its start stamp.
enum class Work { start, serial, product, shard, collective };
inline constexpr int kWorks = 5;

// The all-reduce of messages up to a size: latency + V / bandwidth, V the bytes of a ring. A switch
// of protocol is a new segment, with or without a jump.
struct Segment {
  std::optional<double> to_bytes = {};  // message bytes, included; the last segment has none
  double latency_s = 30e-6;
  double bandwidth_bytes_per_s = 10e9;
};

// What one session has and another has not: standardised, mean 0 and standard deviation 1.
enum class Distribution {
  normal,
  t3,           // Student's t with 3 degrees of freedom
  exponential,  // skewed
  lognormal,    // more so: sigma 1
  bimodal,      // one session in five is 2.5 standard deviations slower than the others
};

// Standard deviations of the logarithm of all times of ...
struct SessionEffects {
  Distribution distribution = Distribution::normal;
  double machine = 0;  // everything at once
  double work = 0;     // each kind of work, in whichever arm it is done
  double arm = 0;      // each arm, and each size of the sweep: no parameter sees it in another arm
  double rank = 0;     // each rank's own work
};

// AR(1) over the samples of a session, in the order in which they are taken: the state of the
// machine, the same for all ranks while a sample lasts.
struct MachineState {
  double sd = 0;               // of the logarithm, stationary
  double autocorrelation = 0;  // of one sample with the next
};

// With this probability a piece of work takes (1 + factor X) times as long, X Pareto from 1 on.
struct Tail {
  double probability = 0;
  double factor = 1;
  double shape = 3;  // P(X > x) = x^-shape
};

// The first samples of a session take exp(size e^(-t/time)) times as long, t since it began.
struct Settling {
  double size = 0;
  double time_s = 1;
};

struct Noise {
  SessionEffects session;
  MachineState state;
  Tail tail;
  Settling settling;
  double layer_cv = 0;     // of each layer of each rank, and each collective: log-normal, median 1
  double drift_per_s = 0;  // of the logarithm
  double start_s = 0;      // mean of an exponential: by how much each rank starts late
};

// From `from_s` of a session on, until `to_s`, work makes 1/factor of its progress. With a period,
// only in the first `busy_s` of each.
struct Slowdown {
  double factor = 1;
  std::vector<Work> work{Work::serial, Work::product, Work::shard};
  std::optional<int> rank = {};  // none: all. A collective is slow where any rank is
  double from_s = 0;
  std::optional<double> to_s = {};
  std::optional<double> period_s = {};
  double busy_s = 0;
};

// Something that a rank does besides: after its work, before its part in a collective, or before
// its start stamp.
struct Delay {
  double seconds = 0;
  Work at = Work::shard;
  std::optional<int> rank = {};   // none: all
  std::optional<int> layer = {};  // none: all; nothing to `start`
  std::vector<Arm> arms;          // none: all
};

enum class FaultKind { hang, wrong_data };

struct Fault {
  FaultKind fault = FaultKind::hang;
  int rank = 0;
  double after_s = 0;               // of a session
  std::optional<int> session = {};  // none: all
};

struct Scenario {
  double serial_s = 20e-6;
  double serial_extra_s = 0;             // on all ranks at once, beyond serial_s
  std::optional<double> product_s = {};  // both products whole; none: by flops_per_s
  double flops_per_s = 10e12;
  double shard_efficiency = 0.9;  // whole / (ranks x shard), all ranks at once
  double shared_factor = 1;       // a shard on all ranks at once over one alone
  std::vector<Segment> collective{Segment{}};
  double contention = 1;  // work of a rank takes so long while another waits in a collective
  double stamp_s = 0;     // of each stamp, on one rank
  double stamp_all_ranks_s = 0;
  double memory_bytes = 64e9;  // of each device
  Noise noise;
  std::vector<Slowdown> slowdowns;
  std::vector<Delay> delays;
  std::vector<Fault> faults;
};

// Ranks and layers that a scenario names must be below these.
struct Bounds {
  int ranks = 2;
  std::optional<std::int64_t> layers = {};  // of the operation with the most; none: not known
};

// Throws BadDocument (protocols/document.h); `file` is what messages call the text.
Scenario load_scenario(std::string text, std::string file, const Bounds& bounds);

// With all defaults written out. Loads back to the same scenario.
nlohmann::ordered_json to_json(Scenario scenario);

}  // namespace splitbench::simulated
