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

// Every alarm is accepted in the night it comes: what follows is judged against that night.
YearSeen watched(const std::vector<Night>& year, Watch& watch);

std::vector<Study> year_of_nights(const Order& order, Ticker& ticker);

}  // namespace splitbench::proof
