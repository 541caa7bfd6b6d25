// The inventory of this machine.
#include "harness/backends/host/cores.h"

#include <gtest/gtest.h>

namespace splitbench::host {
namespace {

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
