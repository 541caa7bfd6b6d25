// Replicas and independent jobs: the worked cases of the documentation, and schedules small enough
// to draw.
#include "model/jobs.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "model/invalid_input.h"
#include "model/replicas.h"

namespace splitbench {
namespace {

std::vector<Seconds> minutes(std::initializer_list<double> lengths) {
  std::vector<Seconds> seconds;
  for (const double length : lengths) seconds.emplace_back(length * 60);
  return seconds;
}

double total_minutes(const JobList& list, Assignment assignment) {
  return schedule(list, assignment).total.value() / 60;
}

TEST(Replicas, WorkedCase) {
  const auto t =
      replica_throughput({.devices = 64, .samples_per_second = 2000, .scaling_efficiency = 0.9});
  EXPECT_DOUBLE_EQ(t.ideal_per_second, 128000);
  EXPECT_DOUBLE_EQ(t.actual_per_second, 115200);
  EXPECT_DOUBLE_EQ(t.speedup, 57.6);
  EXPECT_DOUBLE_EQ(t.lost_per_second, 12800);
}

TEST(Replicas, RefusesAnEfficiencyAboveOneAndWhatIsNoRate) {
  const auto refused = [](Replicas r) {
    try {
      replica_throughput(r);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused({2, 10, 1.0}), "nothing");
  EXPECT_EQ(refused({2, 10, 1.0001}), "scaling_efficiency");
  EXPECT_EQ(refused({2, 10, 0.0}), "scaling_efficiency");
  EXPECT_EQ(refused({0, 10, 1.0}), "devices");
  EXPECT_EQ(refused({2, 0, 1.0}), "samples_per_second");
  EXPECT_EQ(refused({2, std::numeric_limits<double>::infinity(), 1.0}), "samples_per_second");
}

TEST(Jobs, WorkedCaseOfEightEqualJobs) {
  JobList list{.lengths = std::vector<Seconds>(8, Seconds(720)), .assembly = Seconds(600)};
  EXPECT_DOUBLE_EQ(one_device_total(list).value() / 60, 106);
  list.devices = 2;
  for (const auto a : {Assignment::fixed, Assignment::availability, Assignment::longest_first}) {
    EXPECT_DOUBLE_EQ(total_minutes(list, a), 58) << name(a);
  }
}

TEST(Jobs, FourLongestOnOneDeviceIsMendedByAvailability) {
  // Four of 20 min then four of 4 min. Fixed: 80 | 16. By availability: 20+20+4+4 on both.
  JobList list{.lengths = minutes({20, 20, 20, 20, 4, 4, 4, 4}), .devices = 2};
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::fixed), 80);
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::availability), 48);
  const Schedule fixed = schedule(list, Assignment::fixed);
  EXPECT_DOUBLE_EQ(fixed.device_busy[0].value() / 60, 80);
  EXPECT_DOUBLE_EQ(fixed.device_busy[1].value() / 60, 16);
}

TEST(Jobs, LongestFirstMendsALateLongJob) {
  // List order 2,2,2,6 on two devices: 2+2 | 2+6 = 8. Longest first: 6 | 2+2+2 = 6.
  const JobList list{.lengths = minutes({2, 2, 2, 6}), .devices = 2};
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::availability), 8);
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::longest_first), 6);
}

TEST(Jobs, GrahamsWorstCaseForLongestFirst) {
  // Graham 1969: on 2 devices 3,3,2,2,2 gives 7 where 6 is possible, the bound 4/3 - 1/6 exactly.
  const JobList list{.lengths = minutes({3, 3, 2, 2, 2}), .devices = 2};
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::longest_first), 7);
}

TEST(Jobs, LicencesCancelTheGain) {
  JobList list{.lengths = std::vector<Seconds>(8, Seconds(720)),
               .assembly = Seconds(600),
               .devices = 4,
               .max_concurrent = 1};
  for (const auto a : {Assignment::fixed, Assignment::availability, Assignment::longest_first}) {
    EXPECT_DOUBLE_EQ(total_minutes(list, a), 106) << name(a);
  }
  list.max_concurrent = 2;
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::fixed), 58);
}

TEST(Jobs, MoreDevicesThanJobsAndNoJobs) {
  JobList list{.lengths = minutes({1, 2}), .assembly = Seconds(60), .devices = 5};
  for (const auto a : {Assignment::fixed, Assignment::availability, Assignment::longest_first}) {
    EXPECT_DOUBLE_EQ(total_minutes(list, a), 3) << name(a);
  }
  list.lengths.clear();
  EXPECT_DOUBLE_EQ(total_minutes(list, Assignment::fixed), 1);
}

TEST(Jobs, RefusesWhatIsNoSchedule) {
  const auto refused = [](const JobList& list) {
    try {
      schedule(list, Assignment::fixed);
    } catch (const InvalidInput& error) {
      return error.field();
    }
    return std::string("nothing");
  };
  EXPECT_EQ(refused({.lengths = minutes({1}), .devices = 0}), "devices");
  EXPECT_EQ(refused({.lengths = minutes({1, -1})}), "jobs");
  EXPECT_EQ(refused({.lengths = minutes({1}), .assembly = Seconds(-1)}), "assembly");
  EXPECT_EQ(refused({.lengths = minutes({1}), .max_concurrent = -1}), "max_concurrent");
}

// Every schedule, whatever the input: each job once, for its length; no device and no licence
// twice.
TEST(JobsProperty, EveryScheduleCouldBeCarriedOut) {
  EXPECT_TRUE(rc::check("schedules are possible", [] {
    JobList list;
    for (const int length : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100))) {
      list.lengths.emplace_back(length);
    }
    list.devices = *rc::gen::inRange(1, 9);
    list.max_concurrent = *rc::gen::inRange(0, 9);
    const auto assignment =
        *rc::gen::element(Assignment::fixed, Assignment::availability, Assignment::longest_first);
    const Schedule plan = schedule(list, assignment);

    std::vector<int> seen(list.lengths.size(), 0);
    for (const PlacedJob& placed : plan.jobs) {
      ++seen[placed.job];
      RC_ASSERT(placed.end - placed.start == list.lengths[placed.job]);
      int on_device = 0;
      int at_once = 0;
      for (const PlacedJob& other : plan.jobs) {
        const bool running = other.start <= placed.start && placed.start < other.end;
        at_once += running;
        on_device += running && other.device == placed.device;
      }
      RC_ASSERT(on_device <= 1);
      RC_ASSERT(list.max_concurrent == 0 || at_once <= list.max_concurrent);
    }
    RC_ASSERT(std::count(seen.begin(), seen.end(), 1) == std::ssize(seen));
    RC_ASSERT(plan.total <= one_device_total(list));
  }));
}

TEST(JobsProperty, LongestFirstWaitsAtMostForOneJob) {
  EXPECT_TRUE(rc::check("LPT ends within the mean load and one job", [] {
    JobList list;
    for (const int length :
         *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 100)))) {
      list.lengths.emplace_back(length);
    }
    list.devices = *rc::gen::inRange(1, 9);
    // Any schedule takes at least the longest job and the mean load. LPT's last job starts when all
    // devices are busy, so its end is at most the mean load plus one job.
    const Seconds longest = *std::max_element(list.lengths.begin(), list.lengths.end());
    const Seconds mean_load = one_device_total(list) / list.devices;
    RC_ASSERT(schedule(list, Assignment::longest_first).jobs_end.value() <=
              (mean_load + longest).value() * (1 + 1e-12));
  }));
}

TEST(Names, OfAssignments) {
  EXPECT_EQ(name(Assignment::fixed), "fixed");
  EXPECT_EQ(name(Assignment::availability), "availability");
  EXPECT_EQ(name(Assignment::longest_first), "longest-first");
}

}  // namespace
}  // namespace splitbench
