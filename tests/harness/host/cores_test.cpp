// CPU quotas from made-up control groups, and the inventory of this machine.
#include "harness/backends/host/cores.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/backends/host/control_group.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::host {
namespace {

class FakeRoot {
 public:
  void file(const std::string& path, const std::string& text) const {
    const auto full = directory_.path() / path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text;
  }
  double quota() const { return quota_cores(directory_.path().string()); }

 private:
  test::TemporaryDirectory directory_;
};

TEST(Quota, NoneWhereNothingLimits) {
  const FakeRoot root;
  EXPECT_EQ(root.quota(), 0.0);
  root.file("proc/self/cgroup", "0::/\n");
  root.file("sys/fs/cgroup/cpu.max", "max 100000\n");
  EXPECT_EQ(root.quota(), 0.0);
}

TEST(Quota, VersionTwoTakesTheLeastOfGroupAndParents) {
  const FakeRoot root;
  root.file("proc/self/cgroup", "0::/pod/box\n");
  root.file("sys/fs/cgroup/pod/cpu.max", "150000 100000\n");
  root.file("sys/fs/cgroup/pod/box/cpu.max", "400000 100000\n");
  EXPECT_DOUBLE_EQ(root.quota(), 1.5);
}

TEST(Quota, VersionOneReadsItsOwnController) {
  const FakeRoot root;
  root.file("proc/self/cgroup", "3:memory:/a\n4:cpu,cpuacct:/docker/x\n");
  root.file("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "250000\n");
  root.file("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  EXPECT_DOUBLE_EQ(root.quota(), 2.5);
  root.file("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(root.quota(), 0.0);
}

TEST(Inventory, UsableIsTheFewerOfCoresAndQuota) {
  CpuInventory cpus;
  cpus.cores.resize(8);
  EXPECT_EQ(cpus.usable(), 8);
  cpus.quota_cores = 1.9;
  EXPECT_EQ(cpus.usable(), 1);
  cpus.quota_cores = 64;
  EXPECT_EQ(cpus.usable(), 8);
}

TEST(Inventory, ThisMachineHasAtLeastOneCore) {
  const CpuInventory cpus = read_cpus();
  EXPECT_GE(cpus.cores.size(), 1U);
  EXPECT_GT(cpus.memory.value(), 0.0);
  EXPECT_FALSE(cpus.model.empty());
}

}  // namespace
}  // namespace splitbench::host
