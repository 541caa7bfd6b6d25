// The process that looks at devices, as its supervisor sees it: it may die, hang or talk nonsense,
// and then health is unknown for that reason.
#include "harness/supervisor/health_process.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

// A shell script in place of the program, watching two devices.
class HealthProcessTest : public testing::Test {
 protected:
  HealthProcessTest() { std::signal(SIGPIPE, SIG_IGN); }  // as the supervisor does

  HealthProcess started(const std::string& script, Seconds patience = Seconds(20)) {
    const std::string program = directory_ / "program";
    std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
    chmod(program.c_str(), 0755);
    return {program, "libsplitbench_none.so", {"0000:10:00.0", "0000:11:00.0"}, {}, patience};
  }

  static void expect_unknown(const std::vector<DeviceHealth>& health, const std::string& why) {
    ASSERT_EQ(health.size(), 2U);
    for (int rank = 0; rank < 2; ++rank) {
      const DeviceHealth& device = health[static_cast<std::size_t>(rank)];
      EXPECT_EQ(device.rank, rank);
      EXPECT_EQ(device.unknown.at("health"), "the process that looks at the devices " + why);
      EXPECT_FALSE(device.clock_reasons || device.other_processes);
    }
  }

  test::TemporaryDirectory directory_;
};

TEST_F(HealthProcessTest, ThatEndsMakesHealthUnknown) {
  HealthProcess process = started("exit 7");
  expect_unknown(process.look({}), "ended with status 7");
  expect_unknown(process.look({}), "ended with status 7");
}

TEST_F(HealthProcessTest, ThatIsKilledMakesHealthUnknown) {
  expect_unknown(started("head -c 1 <&4 >/dev/null; kill -KILL $$").look({}),
                 "was ended by signal 9 (Killed)");
}

TEST_F(HealthProcessTest, ThatIsSilentMakesHealthUnknownAndIsNotAskedAgain) {
  HealthProcess process = started("exec sleep 60", Seconds(0.3));
  expect_unknown(process.look({}), "said nothing for 0.3 s");
  expect_unknown(process.look({}), "said nothing for 0.3 s");
}

TEST_F(HealthProcessTest, ThatTalksNonsenseMakesHealthUnknown) {
  expect_unknown(started("echo all is well >&3; exec sleep 60").look({}), "not a frame");
}

TEST_F(HealthProcessTest, IsToldWhichDevicesToWatch) {
  HealthProcess process = started("echo \"$1 $4 $5 $6 $7 $8 $9\" > $(dirname $0)/arguments");
  process.look({});
  std::string line;
  std::getline(std::ifstream(directory_ / "arguments"), line);
  EXPECT_EQ(line,
            "health --module libsplitbench_none.so --device 0000:10:00.0 --device 0000:11:00.0");
}

}  // namespace
}  // namespace splitbench
