// What the stand-in devices are like: one JSON object in the file that SPLITBENCH_STANDIN names,
// read once per process; without the variable the defaults below. An unknown key or a value out of
// range is an error that names its JSON pointer. Base units throughout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/standin/fault.h"

namespace splitbench::standin {

enum class ClockKind { virtual_time, real_time };  // "virtual", "real"

inline constexpr int kMostDevices = 64;

struct Scenario {
  int devices = 2;
  ClockKind clock = ClockKind::virtual_time;
  double launch_s = 2e-6;    // every kernel and collective, before its own work
  double latency_s = 10e-6;  // of a collective, on top of its launch
  double bandwidth_bytes_per_s = 10e9;
  double copy_latency_s = 0;  // of a copy that leaves its device
  // Devices with links of their own; between two islands copies go through the host's memory. None:
  // all devices are one.
  std::vector<std::vector<int>> islands;
  double between_islands_bytes_per_s = 1e9;
  double flops = 1e12;
  double memory_bytes_per_s = 100e9;
  std::optional<double> serial_s;  // of one layer's serial part, launch included
  double shard_efficiency = 1;     // shard products take 1/efficiency times as long
  double composition_s = 0;        // per split, over shard products that follow a serial part
  double skew_s = 0;  // layer l's shard products on rank l mod N, N the ranks of the communicator
  std::size_t memory_bytes = std::size_t{4} << 30;  // per device
  double noise = 0;        // standard deviation of the logarithm of each duration
  std::uint64_t seed = 0;  // of the noise
  // Seconds by name of operation ("serial_part", or as a library names its products), launch
  // included; they replace the modelled cost.
  std::map<std::string, double> table_s;
  std::vector<Fault> faults;
};

// Throws std::runtime_error: "FILE: /pointer: what was expected".
Scenario read_scenario(const std::string& path);

// This process's scenario. What is wrong with the file ends the process, with the message.
const Scenario& scenario();

}  // namespace splitbench::standin
