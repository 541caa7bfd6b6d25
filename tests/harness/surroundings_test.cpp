// What is read from the system's files, from files of the test's own.
#include "harness/backends/cuda/surroundings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "tests/support/temporary_directory.h"

namespace splitbench::cuda {
namespace {

class Notes final : public Examiner {
 public:
  void looks(std::string_view, const std::string&) override {}
  void found(CheckResult result) override { results[result.check] = result; }
  void learned(std::string_view key, nlohmann::ordered_json fact) override {
    facts[std::string(key)] = std::move(fact);
  }
  std::map<std::string, CheckResult> results;
  std::map<std::string, nlohmann::ordered_json> facts;
};

// A system's folders, empty at first.
class System {
 public:
  System() {
    for (const char* folder : {"dev", "proc/driver/nvidia", "sys/module", "sys/kernel", "shm"}) {
      std::filesystem::create_directories(root_ / folder);
    }
  }
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void make_folder(const std::string& name) const {
    std::filesystem::create_directories(root_ / name);
  }
  Notes examine() const {
    Notes notes;
    examine_surroundings({.devices = root_ / "dev",
                          .processes = root_ / "proc",
                          .system = root_ / "sys",
                          .shared_memory = root_ / "shm"},
                         notes);
    return notes;
  }

 private:
  test::TemporaryDirectory root_;
};

TEST(Surroundings, CountDeviceFilesAndNothingElse) {
  const System system;
  for (const char* file : {"dev/nvidia0", "dev/nvidia1", "dev/nvidia10", "dev/nvidiactl",
                           "dev/nvidia-uvm", "dev/nvidia", "dev/null"}) {
    system.write(file, "");
  }
  Notes notes = system.examine();
  EXPECT_EQ(notes.results["device-files"].status, CheckStatus::pass);
  EXPECT_EQ(notes.facts["device_files"], 3);
}

TEST(Surroundings, DoNotKnowDevicesWithoutFiles) {
  const System system;
  Notes notes = system.examine();
  EXPECT_EQ(notes.results["device-files"].status, CheckStatus::unknown);
  EXPECT_NE(notes.results["device-files"].mend, "");
  EXPECT_FALSE(notes.facts.contains("device_files"));
}

TEST(Surroundings, ReadTheKernelModulesVersion) {
  const System system;
  EXPECT_EQ(system.examine().results["kernel-driver"].status, CheckStatus::unknown);
  system.write("proc/driver/nvidia/version", "NVRM version: 580.95.05\nGCC version: 12\n");
  EXPECT_EQ(system.examine().results["kernel-driver"].seen, "NVRM version: 580.95.05");
  system.write("sys/module/nvidia/version", "580.95.05\n");
  EXPECT_EQ(system.examine().results["kernel-driver"].seen, "580.95.05");
}

TEST(Surroundings, TellOfAddressTranslation) {
  const System system;
  EXPECT_EQ(system.examine().results["iommu"].status, CheckStatus::unknown);
  system.make_folder("sys/kernel/iommu_groups");
  EXPECT_EQ(system.examine().results["iommu"].status, CheckStatus::pass);
  system.make_folder("sys/kernel/iommu_groups/0");
  system.make_folder("sys/kernel/iommu_groups/1");
  CheckResult on = system.examine().results["iommu"];
  EXPECT_EQ(on.status, CheckStatus::warn);
  EXPECT_EQ(on.seen.substr(0, 9), "2 groups ");
}

TEST(Surroundings, FailWithoutSharedMemory) {
  Notes notes;
  examine_surroundings({.shared_memory = "/no/such/folder"}, notes);
  EXPECT_EQ(notes.results["shared-memory"].status, CheckStatus::fail);
}

// Docker's default of 64 MiB is what NCCL's users trip over; NVIDIA's documentation advises 1 GiB.
TEST(SharedMemory, FailsAtAContainersDefault) {
  constexpr double kMiB = 1024.0 * 1024.0;
  EXPECT_EQ(judge_shared_memory(Bytes(64 * kMiB)).status, CheckStatus::fail);
  EXPECT_NE(judge_shared_memory(Bytes(64 * kMiB)).mend.find("--shm-size=1g"), std::string::npos);
  EXPECT_EQ(judge_shared_memory(Bytes(65 * kMiB)).status, CheckStatus::warn);
  EXPECT_EQ(judge_shared_memory(Bytes(1023 * kMiB)).status, CheckStatus::warn);
  EXPECT_EQ(judge_shared_memory(Bytes(1024 * kMiB)).status, CheckStatus::pass);
}

}  // namespace
}  // namespace splitbench::cuda
