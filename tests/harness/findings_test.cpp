// What the classes found, put together: the worst counts, and only of devices that were asked for.
#include "harness/preflight/findings.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFirst = "0000:10:00.0";
constexpr const char* kSecond = "0000:11:00.0";

Json list_of(const std::vector<const char*>& addresses) {
  Json all = Json::array();
  for (const char* address : addresses) all.push_back({{"pci_bus_id", address}});
  return all;
}

// The runtime was asked for some devices; the management library knows of others, too.
Json facts_of(const std::vector<const char*>& asked, const std::vector<const char*>& managed) {
  return {{"runtime", {{"devices", list_of(asked)}}},
          {"management", {{"devices", list_of(managed)}}}};
}

TEST(Findings, AreNotOfDevicesThatNobodyAskedFor) {
  const auto kept = of_devices_asked_for(
      {about(kFirst, passed("mig", "off")), about(kSecond, failed("mig", "on", "nvidia-smi"))},
      facts_of({kFirst}, {kFirst, kSecond}));
  EXPECT_EQ(kept, std::vector{about(kFirst, passed("mig", "off"))});
}

TEST(Findings, AreOfTheNodeWhicheverDevicesAreAskedFor) {
  const std::vector<CheckResult> found{failed("driver-version", "11", "update")};
  EXPECT_EQ(of_devices_asked_for(found, facts_of({kFirst}, {kFirst})), found);
}

TEST(Findings, AreOfAllWhereTheRuntimeDidNotSayWhichItHas) {
  const std::vector<CheckResult> found{about(kSecond, failed("mig", "on", "nvidia-smi"))};
  EXPECT_EQ(of_devices_asked_for(found, Json::object()), found);
}

// Of the numbers that were asked for there is no device: not one of these is blamed.
TEST(Findings, AreOfNoDeviceWhereNoneOfThoseAskedForExists) {
  const auto kept =
      of_devices_asked_for({about(kNoAddress, faulty("management-library", "1 of 2 lost", "reset")),
                            about(kSecond, failed("mig", "on", "nvidia-smi")),
                            failed("distinct-devices", "there is no device 9", "choose others")},
                           facts_of({}, {kSecond}));
  EXPECT_EQ(together("distinct-devices", kept).status, CheckStatus::fail);
  EXPECT_EQ(together("mig", kept).status, CheckStatus::unknown);
  EXPECT_EQ(together("management-library", kept).status, CheckStatus::unknown);
}

// UNKNOWN, not PASS: the management library did not list the one that was asked for.
TEST(Findings, AreUnknownOfADeviceThatCannotBeAsked) {
  const auto kept =
      of_devices_asked_for({about(kSecond, passed("mig", "off"))}, facts_of({kFirst}, {kSecond}));
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].status, CheckStatus::unknown);
}

// One that is lost does not say its address: it may be one of those asked for unless all of them
// answer.
TEST(Findings, AreOfALostDeviceUnlessAllThatWereAskedForAnswer) {
  const CheckResult lost = about(kNoAddress, faulty("management-library", "1 of 2 lost", "reset"));
  const CheckResult driver = passed("management-library", "driver 580");
  EXPECT_EQ(of_devices_asked_for({lost, driver}, facts_of({kFirst}, {kFirst})),
            std::vector{driver});
  EXPECT_EQ(of_devices_asked_for({lost, driver}, facts_of({kFirst, kSecond}, {kFirst})),
            (std::vector{lost, driver}));
}

TEST(Findings, TogetherAreTheWorstWithTheirDevices) {
  const CheckResult both = together(
      "mig", {about(kFirst, failed("mig", "a is on", "off")), about("x", passed("mig", "off")),
              about(kSecond, failed("mig", "b is on", "off")), passed("module", "loaded")});
  EXPECT_EQ(both.status, CheckStatus::fail);
  EXPECT_EQ(both.seen, "a is on; b is on");
  EXPECT_EQ(both.devices, (std::vector<std::string>{kFirst, kSecond}));
  EXPECT_EQ(together("mig", {}).status, CheckStatus::unknown);
}

}  // namespace
}  // namespace splitbench
