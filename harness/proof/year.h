// A year of nightly runs of one protocol whose regressions are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace splitbench::proof {

enum class MachineChange {
  another_machine,   // of another fingerprint: other times, another speedup
  slower_or_faster,  // the same machine, all times longer or shorter by 5 %: a driver, a clock
};

struct YearPlan {
  std::size_t nights = 365;
  double common_sd = 0.02;   // of ln T1 and ln T_N alike
  double ratio_sd = 0.007;   // of ln(T1 / T_N), beside
  double regression = 0.03;  // by which each lowers the speedup
  std::size_t regressions = 3;
  std::size_t machine_changes = 2;
  std::size_t apart = 20;  // nights between any two events, and before the first
  MachineChange change = MachineChange::another_machine;
  int sessions = 6;  // of a run: how well it knows its own spread
};

struct Night {
  double t1 = 0.0;      // s
  double tn = 0.0;      // s
  double spread = 0.0;  // standard error of ln(T1 / T_N) as the run finds it over its sessions
  // What a run made at once would find: the same night, another draw of the ratio's own noise.
  double confirming_speedup = 0.0;
  bool another_machine = false;  // the first on it
  bool regressed = false;        // the first after a regression
  bool machine_changed = false;  // the first after a machine change
};

// Regressions last. The same seed gives the same year.
std::vector<Night> simulated_year(const YearPlan& plan, std::uint64_t seed);

}  // namespace splitbench::proof
