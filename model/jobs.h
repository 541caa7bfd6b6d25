// Independent jobs on several devices, then a final assembly that is not parallel.
// Source: docs/formulas.md "Replicas", "Independent jobs".
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "model/quantity.h"

namespace splitbench {

// How jobs meet devices.
//   fixed          decided beforehand: contiguous blocks of the list, as equal in count as they can
//                  be, the larger blocks first. Blind to how long a job takes.
//   availability   in list order, each job to the device that is free first.
//   longest_first  by availability, after sorting by length (Graham's LPT rule, SIAM J. Appl. Math.
//                  1969: at most 4/3 - 1/(3d) of the best possible).
enum class Assignment { fixed, availability, longest_first };
std::string_view name(Assignment assignment);

struct JobList {
  std::vector<Seconds> lengths;
  Seconds assembly{};  // after the last job, on one device
  int devices = 1;
  int max_concurrent = 0;  // jobs that may run at once (licences, shared storage); 0: no limit
};

struct PlacedJob {
  std::size_t job;  // index into JobList::lengths
  int device;
  Seconds start;
  Seconds end;
};

struct Schedule {
  std::vector<PlacedJob> jobs;       // in order of start, then device
  std::vector<Seconds> device_busy;  // sum of the lengths on each device
  Seconds jobs_end{};                // when the last job is done
  Seconds total{};                   // jobs_end + assembly
};

// Throws InvalidInput for a negative or infinite length, fewer than one device, a negative limit.
Schedule schedule(const JobList& list, Assignment assignment);

// All jobs one after another, then the assembly: what one device takes.
Seconds one_device_total(const JobList& list);

}  // namespace splitbench
