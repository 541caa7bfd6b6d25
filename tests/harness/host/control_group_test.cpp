// Cores and memory that made-up control groups and a made-up /proc grant.
#include "harness/backends/host/control_group.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/backends/host/memory.h"
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
  std::optional<double> memory() const { return memory_limit(directory_.path().string()); }
  double available() const { return available_memory(directory_.path().string()).value(); }
  std::optional<CannotRunHere> lack(const Protocol& protocol) const {
    return lack_of_memory(protocol, directory_.path().string());
  }

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

TEST(MemoryLimit, NoneWhereNothingLimits) {
  const FakeRoot root;
  EXPECT_FALSE(root.memory());
  root.file("proc/self/cgroup", "0::/\n5:memory:/a\n");
  root.file("sys/fs/cgroup/memory.max", "max\n");
  // What version 1 says of no limit: the largest 64-bit number of whole pages.
  root.file("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(root.memory());
}

TEST(MemoryLimit, VersionTwoTakesTheLeastOfGroupAndParents) {
  const FakeRoot root;
  root.file("proc/self/cgroup", "0::/pod/box\n");
  root.file("sys/fs/cgroup/pod/memory.max", "2000000000\n");
  root.file("sys/fs/cgroup/pod/box/memory.max", "4000000000\n");
  EXPECT_EQ(root.memory(), 2e9);
}

TEST(MemoryLimit, VersionOneReadsItsOwnController) {
  const FakeRoot root;
  root.file("proc/self/cgroup", "3:cpu:/a\n4:memory:/docker/x\n");
  root.file("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "3000000000\n");
  EXPECT_EQ(root.memory(), 3e9);
}

TEST(AvailableMemory, IsTheLesserOfSystemAndGroup) {
  const FakeRoot root;
  EXPECT_EQ(root.available(), 0.0);  // not known
  root.file("proc/meminfo", "MemTotal:  9000000 kB\nMemFree: 10 kB\nMemAvailable:  4000000 kB\n");
  EXPECT_EQ(root.available(), 4'096'000'000.0);  // kB are 1024 bytes there
  root.file("proc/self/cgroup", "0::/\n");
  root.file("sys/fs/cgroup/memory.max", "1000000000\n");
  EXPECT_EQ(root.available(), 1e9);
}

// d_model 1000, d_ff 4000, 10 layers of fp32: 8e6 weights a layer, 320 MB in all; on each of two
// ranks that once and a half: 960 MB at the least, before any check.
TEST(LackOfMemory, IsSaidBeforeAnythingIsAllocated) {
  const FakeRoot root;
  Protocol protocol;
  protocol.points = {{.tokens = 1, .d_model = 1000, .d_ff = 4000, .layers = 10}};
  EXPECT_GT(memory_needed(protocol).value(), 0.96e9);
  EXPECT_LT(memory_needed(protocol).value(), 2 * 0.96e9);
  EXPECT_FALSE(root.lack(protocol));  // not known
  root.file("proc/meminfo", "MemAvailable:  100000000 kB\n");
  EXPECT_FALSE(root.lack(protocol));
  root.file("proc/self/cgroup", "0::/\n");
  root.file("sys/fs/cgroup/memory.max", "960000000\n");
  const auto lack = root.lack(protocol);
  ASSERT_TRUE(lack);
  EXPECT_NE(lack->reason().find("0.96 GB can be used here"), std::string::npos) << lack->reason();
  EXPECT_NE(lack->mend().find("--d-ff"), std::string::npos) << lack->mend();
}

}  // namespace
}  // namespace splitbench::host
