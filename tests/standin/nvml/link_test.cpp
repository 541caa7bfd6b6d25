// How NVML says that the stand-in devices are joined.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/standin/nvml/library.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::standin {
namespace {

constexpr const char* kState = "nvmlDeviceGetNvLinkState";

// Of 12 links, on 4 devices, 4 lead to each other one.
TEST(Links, LeadToEveryOtherDevice) {
  run_alone(R"({"devices": 4})", [] {
    const Nvml nvml = start_nvml();
    for (unsigned index = 0; index < 4; ++index) {
      const nvmlDevice_t device = nvml.device_at(index);
      std::map<std::string, int> links;
      for (unsigned link = 0; link < 12; ++link) {
        EXPECT_EQ(nvml.get<int>(kState, device, link), 1);
        EXPECT_EQ(nvml.get<unsigned>("nvmlDeviceGetNvLinkVersion", device, link), 4U);
        ++links[nvml.get<nvmlPciInfo_t>("nvmlDeviceGetNvLinkRemotePciInfo_v2", device, link).busId];
      }
      ASSERT_EQ(links.size(), 3U);
      for (const auto& [peer, count] : links) {
        EXPECT_EQ(count, 4) << peer;
        EXPECT_NE(nvml.device_at(peer.c_str()), device);
      }
      int active = 0;
      EXPECT_EQ(nvml.call(kState, device, 12U, &active), NVML_ERROR_INVALID_ARGUMENT);
    }
  });
}

TEST(Links, AreNotSupportedByADeviceThatIsAlone) {
  run_alone(R"({"devices": 1})", [] {
    const Nvml nvml = start_nvml();
    int active = 0;
    EXPECT_EQ(nvml.call(kState, nvml.device_at(0U), 0U, &active), NVML_ERROR_NOT_SUPPORTED);
  });
}

// Ancestor 0 is the device itself, 40 the same node; P2P status 0 is OK, 1 chipset not supported.
TEST(Links, AndPeersAreWhatCudaSaysOfThem) {
  const auto look = [](int status, int active) {
    const Nvml nvml = start_nvml();
    const nvmlDevice_t left = nvml.device_at(0U);
    const nvmlDevice_t right = nvml.device_at(1U);
    EXPECT_EQ(nvml.get<int>("nvmlDeviceGetTopologyCommonAncestor", left, left), 0);
    EXPECT_EQ(nvml.get<int>("nvmlDeviceGetTopologyCommonAncestor", left, right), 40);
    EXPECT_EQ(nvml.get<int>("nvmlDeviceGetP2PStatus", left, right, 0), status);
    EXPECT_EQ(nvml.get<int>(kState, left, 0U), active);
  };
  run_alone(R"({"devices": 2})", [&] { look(0, 1); });
  run_alone(R"({"devices": 2, "faults": ["no-peer"]})", [&] { look(1, 0); });
}

// Field 90: 10^6 bytes per second of a link.
TEST(Links, ThatAreSlowSaySo) {
  const auto speed = [] {
    const Nvml nvml = start_nvml();
    nvmlFieldValue_t value{};
    value.fieldId = 90;
    EXPECT_EQ(nvml.call("nvmlDeviceGetFieldValues", nvml.device_at(0U), 1, &value), NVML_SUCCESS);
    return value.value.uiVal;
  };
  run_alone(R"({"devices": 2})", [&] { EXPECT_EQ(speed(), 25000U); });
  run_alone(R"({"devices": 2, "faults": [{"fault": "slow-link", "factor": 5}]})",
            [&] { EXPECT_EQ(speed(), 5000U); });
}

TEST(Links, OfPcieAreAsWideAsTheyCanBe) {
  run_alone(R"({"devices": 1})", [] {
    const Nvml nvml = start_nvml();
    const nvmlDevice_t device = nvml.device_at(0U);
    for (const char* what : {"PcieLinkGeneration", "PcieLinkWidth"}) {
      EXPECT_EQ(nvml.get<unsigned>(("nvmlDeviceGetCurr" + std::string(what)).c_str(), device),
                nvml.get<unsigned>(("nvmlDeviceGetMax" + std::string(what)).c_str(), device));
    }
  });
}

}  // namespace
}  // namespace splitbench::standin
