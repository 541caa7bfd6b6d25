// A year of nights watched for regressions: how many are found in time, and how many alarms are
// false.
#pragma once

#include "harness/proof/study.h"
#include "harness/proof/watch.h"

namespace splitbench::proof {

struct YearSeen {
  std::size_t in_time = 0;  // regressions found within three nights
  std::size_t late = 0;     // found later
  std::size_t missed = 0;   // not before the next event, or the end
  std::size_t false_alarms = 0;
};

// The nights with an alarm, from 0. Each is accepted in its night: what follows is judged against
// that night.
std::vector<std::size_t> alarm_nights(const std::vector<Night>& year, Watch& watch);

// The same, counted.
YearSeen watched(const std::vector<Night>& year, Watch& watch);

std::vector<Study> year_of_nights(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof
