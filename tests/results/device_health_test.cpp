// Which rounds do not count for an outside cause, and what of the devices' health a result says.
// The causes are those of docs/rules.md "Void rounds".
#include "results/device_health.h"

#include <gtest/gtest.h>

#include "results/health_json.h"
#include "results/result_document.h"
#include "tests/results/synthetic_run.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMiB = 1024 * 1024;

DeviceHealth well(int rank = 0) {
  return {.rank = rank,
          .readings = {{"sm_clock_hz", 1.98e9}, {kMemoryUsed, 1000 * kMiB}},
          .error_counters = {{"ecc_corrected", 3}, {"nvlink_crc_data", 0}},
          .clock_reasons = std::vector<std::string>{},
          .other_processes = 0,
          .unknown = {}};
}

// What is said of a device that was well at first and now is as given.
std::string cause(const DeviceHealth& now) {
  const std::vector<DeviceHealth> first{well(now.rank)};
  return outside_cause(first, first, std::vector<DeviceHealth>{now});
}

std::string cause_of_reason(const std::string& reason) {
  DeviceHealth now = well();
  now.clock_reasons = std::vector<std::string>{reason};
  return cause(now);
}

TEST(OutsideCause, IsNoneWhereAllIsWell) {
  EXPECT_EQ(cause(well()), "");
}

TEST(OutsideCause, IsAnyReasonFromOutsideForLowClocks) {
  for (const char* reason : {"hardware_slowdown", "software_thermal_slowdown",
                             "hardware_thermal_slowdown", "hardware_power_brake"}) {
    EXPECT_NE(cause_of_reason(reason), "") << reason;
  }
  EXPECT_EQ(cause_of_reason("hardware_thermal_slowdown"),
            "device of rank 0: clocks were held down: hardware thermal slowdown");
}

TEST(OutsideCause, IsNotThePowerLimitNorAnythingNormalNorUnknown) {
  for (const char* reason : {"software_power_cap", "idle", "application_clocks", "sync_boost",
                             "display_clocks", "0x8000"}) {
    EXPECT_EQ(cause_of_reason(reason), "") << reason;
  }
}

TEST(OutsideCause, IsAnErrorCounterThatMovedSinceTheReadingBefore) {
  DeviceHealth now = well(1);
  now.error_counters["ecc_corrected"] = 5;
  EXPECT_EQ(cause(now), "device of rank 1: the error counter ecc_corrected went from 3 to 5");
  // In the next round it stands still.
  const std::vector<DeviceHealth> first{well(1)};
  const std::vector<DeviceHealth> moved{now};
  EXPECT_EQ(outside_cause(first, moved, moved), "");
}

TEST(OutsideCause, IsAProcessThatIsNotOurs) {
  DeviceHealth now = well();
  now.other_processes = 2;
  EXPECT_EQ(cause(now), "device of rank 0: 2 process(es) that are not ours used the device");
}

TEST(OutsideCause, IsMemoryThatIsNotOursForAsLongAsItIsThere) {
  DeviceHealth now = well();
  now.readings[kMemoryUsed] = 1064 * kMiB;
  EXPECT_EQ(cause(now), "") << "64 MiB may be the driver's";
  now.readings[kMemoryUsed] = 1500 * kMiB;
  const std::vector<DeviceHealth> first{well()};
  const std::vector<DeviceHealth> taken{now};
  EXPECT_EQ(outside_cause(first, taken, taken),
            "device of rank 0: memory that is not ours was in use: 524 MB");  // 500 MiB
}

TEST(OutsideCause, IsADeviceTakenForMoreThanNineTenthsOfTheRound) {
  DeviceHealth now = well();
  now.readings[kTakenByOthers] = 0.9;
  EXPECT_EQ(cause(now), "");
  now.readings[kTakenByOthers] = 0.95;
  EXPECT_EQ(cause(now), "device of rank 0: other processes took the device for 95 % of the round");
}

TEST(OutsideCause, IsNeverFoundInWhatIsNotKnown) {
  const DeviceHealth now{.rank = 0,
                         .readings = {},
                         .error_counters = {},
                         .clock_reasons = {},
                         .other_processes = {},
                         .unknown = {{"health", "no library"}}};
  EXPECT_EQ(cause(now), "");
  EXPECT_EQ(outside_cause({}, {}, std::vector<DeviceHealth>{well()}), "") << "nothing to compare";
}

TEST(DeviceHealth, ComesBackFromJson) {
  DeviceHealth half_known = well(1);
  half_known.clock_reasons.reset();
  half_known.other_processes.reset();
  half_known.unknown = {{"clock_reasons", "Not Supported (3)"}};
  const std::vector<DeviceHealth> devices{well(), half_known};
  EXPECT_EQ(device_health_from_json(to_json(devices)), devices);
}

// A run whose two devices are looked at after each of its 30 rounds.
Records watched() {
  Records records = make_records(base_case());
  for (SessionRecord& session : records.sessions) session.devices_before = {well(0), well(1)};
  for (RoundRecord& round : records.rounds) round.health = {well(0), well(1)};
  return records;
}

Json document(const Records& records) {
  return result_document(records.run, records.sessions, records.rounds, RunOutcome::complete);
}

bool noted(const Json& document, const std::string& note) {
  const auto notes = document["notes"].get<std::vector<std::string>>();
  return std::find(notes.begin(), notes.end(), note) != notes.end();
}

TEST(Health, IsSummedUpPerSessionAndDevice) {
  Records records = watched();
  records.rounds[1].health[0].readings["sm_clock_hz"] = 1.5e9;
  records.rounds[1].health[0].error_counters["ecc_corrected"] = 4;
  records.rounds[4].health[0].error_counters["ecc_corrected"] = 4;
  records.rounds[2].health[0].clock_reasons =
      std::vector<std::string>{"software_power_cap", "0x8000"};
  records.rounds[3].health[1].other_processes.reset();
  records.rounds[3].health[1].unknown["other_processes"] = "Not Supported (3)";
  const Json session = document(records)["health"]["sessions"][0];
  ASSERT_EQ(session["devices"].size(), 2U);
  const Json& device = session["devices"][0];
  EXPECT_EQ(device["rank"], 0);
  EXPECT_EQ(device["rounds"], 5);
  EXPECT_EQ(device["readings"]["sm_clock_hz"], (Json{{"least", 1.5e9}, {"most", 1.98e9}}));
  EXPECT_EQ(device["errors"], (Json{{"ecc_corrected", 1}, {"nvlink_crc_data", 0}}));
  EXPECT_EQ(device["clock_reasons"], (Json{{"0x8000", 1}, {"software_power_cap", 1}}));
  EXPECT_EQ(device["other_processes"], 0);
  EXPECT_EQ(session["devices"][1]["unknown"]["other_processes"], "Not Supported (3)");
}

TEST(Health, LabelsThePowerLimitAndAMovingClock) {
  Records records = watched();
  EXPECT_FALSE(document(records)["notes"].dump().find("the device of rank") != std::string::npos);
  records.rounds[7].health[1].clock_reasons = std::vector<std::string>{"software_power_cap"};
  records.rounds[8].health[1].readings["sm_clock_hz"] = 1.2e9;
  records.rounds[9].health[0].unknown[kClockReasons] = "Not Supported (3)";
  records.rounds[9].health[1].unknown["ecc_corrected"] = "normal where there is no ECC";
  const Json json = document(records);
  EXPECT_TRUE(noted(json,
                    "the device of rank 1 was held at its power limit in 1 of 30 rounds: its "
                    "times hold for that limit"));
  EXPECT_TRUE(noted(json, "the clock of the device of rank 1 moved between 1200 and 1980 MHz"));
  EXPECT_TRUE(noted(json, "not known of the devices of ranks 0: Not Supported (3)"));
  EXPECT_EQ(json["notes"].dump().find("ECC"), std::string::npos);
  EXPECT_EQ(json["rounds"]["counted"], 30) << "labelled, not void";
}

// 1 of 30 rounds is 3 %, which may be; 3 of 30 are 10 %. Of the rank that has the most.
TEST(Health, SaysWhereADeviceWasSlowedFromOutside) {
  Records records = watched();
  for (RoundRecord& round : records.rounds) {
    for (DeviceHealth& health : round.health) health.readings[kFixedWork] = 0.5e-3;
  }
  records.rounds[2].health[0].readings[kFixedWork] = 0.9e-3;
  records.rounds[3].health[0].readings[kFixedWork] = 0.59e-3;
  EXPECT_EQ(document(records)["notes"].dump().find("arithmetic"), std::string::npos);
  for (const int round : {4, 5, 6}) {
    records.rounds[round].health[1].readings[kFixedWork] = 0.61e-3;
  }
  EXPECT_TRUE(noted(document(records),
                    "at the end of up to 10 % of rounds a device needed over a fifth more time "
                    "than at its best for the same arithmetic: another machine may share its core, "
                    "or its clock moves"));
}

// 5 rounds a session: with 3 void the other 2 do not count either, with 2 void the other 3 do.
TEST(VoidRounds, TakeTheirSessionAlongWhereTheyAreMoreThanHalfOfIt) {
  Records records = make_records(base_case());
  for (const std::size_t round : {0U, 1U, 2U, 5U, 6U}) records.rounds[round].void_reason = "heat";
  const Json json = document(records);
  EXPECT_EQ(json["rounds"]["counted"], 23);
  EXPECT_EQ(json["rounds"]["sessions"], 5);
  ASSERT_EQ(json["rounds"]["void"].size(), 7U);
  EXPECT_EQ(json["rounds"]["void"][3]["reason"],
            "more than half of the rounds of its session are void");
  EXPECT_TRUE(noted(json, "7 rounds are void, first because heat"));
}

TEST(VoidRounds, LeaveNoVerdictWhereTheyAreMoreThanHalfOfEverySession) {
  Records records = make_records(base_case());
  for (RoundRecord& round : records.rounds) {
    if (round.round < 3) round.void_reason = "heat";
  }
  const Json json = document(records);
  EXPECT_EQ(json["rounds"]["counted"], 0);
  EXPECT_EQ(json["outcome"], "void");
  EXPECT_TRUE(json["points"][0]["comparison"].is_null());
  // 18 of 30 rounds by heat, the other 12 with their sessions.
  EXPECT_EQ(json["points"][0]["reasons"]["comparison"], "no round counts, most often because heat");
}

}  // namespace
}  // namespace splitbench::test
