// What the processes of one scenario run share: the devices' virtual clocks and a place to meet.
//
// It is anonymous memory of the process that splitbench-standin became, opened by others through
// /proc, as SPLITBENCH_STANDIN_STATE says: nothing is left behind, whatever dies. Without the
// variable a process is alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tests/standin/clock.h"

namespace splitbench::standin {

inline constexpr const char* kStateVariable = "SPLITBENCH_STANDIN_STATE";

// Where it is; empty when this process is alone.
std::string state_path();
// Makes the state and returns where it is, for as long as this process runs, whatever it executes.
// Throws std::runtime_error.
std::string make_state();

// A device's virtual clock, in picoseconds.
std::atomic<std::int64_t>& shared_clock(int device);

// Sleeps until `done()`: looked at whenever any process of the run calls wake(), and every 50 ms.
void wait_until(const std::function<bool()>& done);
void wake();

// What a meeting is about; the same numbers in all processes, never used for two meetings.
struct Topic {
  std::uint64_t subject = 0;  // a communicator, a flag
  std::uint64_t number = 0;   // a sequence number, a ticket
  bool operator==(const Topic&) const = default;
};

// `parties` threads of any processes arrive, each at its own time; each gets the latest one once
// all are there. Nothing when `cancelled()` becomes true first (it is asked at every wake() and
// every 50 ms).
std::optional<Time> meet(Topic topic, int parties, Time arrival,
                         const std::function<bool()>& cancelled);

// For meetings whose number of parties is not known beforehand: whoever will come says so.
void announce(Topic topic);
void withdraw(Topic topic);
int announced(Topic topic);

}  // namespace splitbench::standin
