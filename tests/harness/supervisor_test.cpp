// The supervisor against programs that are no rank: they die, talk nonsense, or say nothing.
#include "harness/supervisor/supervisor.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

// What supervise() says of a shell script in place of the rank program.
std::string fault_of(const std::string& script, Seconds patience = Seconds(0.4)) {
  const test::TemporaryDirectory directory;
  const std::string program = directory / "rank";
  std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
  chmod(program.c_str(), 0755);
  Protocol protocol;
  protocol.name = "test";
  protocol.purpose = "Nothing.";
  protocol.points = {{.tokens = 1, .d_model = 2, .d_ff = 4}};
  Interruption interruption;
  const SessionEnd end = supervise({.processes = 2, .shared_bytes = 64, .environment = {}},
                                   {.module = "libsplitbench_none.so",
                                    .request = {.ranks = 2, .devices = {}, .oversubscribe = true},
                                    .protocol = protocol,
                                    .patience = patience},
                                   {}, interruption, program);
  EXPECT_FALSE(end.interrupted);
  return end.fault;
}

TEST(Supervisor, NamesARankThatEnds) {
  EXPECT_NE(fault_of("[ \"$3\" = 1 ] && exit 7; exec sleep 60")
                .find("rank 1 (starting) ended with status 7"),
            std::string::npos);
}

TEST(Supervisor, NamesARankThatLeavesQuietly) {
  EXPECT_NE(fault_of("[ \"$3\" = 0 ] && exit 0; exec sleep 60")
                .find("rank 0 (starting) left in the middle"),
            std::string::npos);
}

TEST(Supervisor, NamesARankThatASignalEnds) {
  const std::string fault = fault_of("[ \"$3\" = 1 ] && kill -SEGV $$; exec sleep 60");
  EXPECT_NE(fault.find("rank 1 (starting) was ended by signal 11"), std::string::npos) << fault;
}

TEST(Supervisor, NamesARankThatTalksNonsense) {
  const std::string fault = fault_of("[ \"$3\" = 1 ] && echo all is well >&4; exec sleep 60");
  EXPECT_NE(fault.find("rank 1 (starting) sent nonsense: not a frame"), std::string::npos) << fault;
}

TEST(Supervisor, EndsAndNamesWhatSaysNothing) {
  const std::string fault = fault_of("exec sleep 60");
  EXPECT_NE(fault.find("every rank (starting): no sign for "), std::string::npos) << fault;
}

TEST(Supervisor, DoesNotWaitForARankThatClosesItsPipeAndStays) {
  const std::string fault = fault_of("[ \"$3\" = 1 ] && exec 4>&-; exec sleep 60", Seconds(30));
  EXPECT_NE(fault.find("rank 1 (starting) closed its pipe but does not end"), std::string::npos)
      << fault;
}

TEST(Supervisor, SaysWhereARankProgramIsMissing) {
  Interruption interruption;
  Protocol protocol;
  protocol.points = {{.tokens = 1, .d_model = 2, .d_ff = 4}};
  EXPECT_THROW(supervise({.processes = 2, .shared_bytes = 64, .environment = {}},
                         {.module = "libsplitbench_none.so",
                          .request = {.ranks = 2, .devices = {}, .oversubscribe = true},
                          .protocol = protocol},
                         {}, interruption, "/nowhere/rank"),
               HarnessError);
}

}  // namespace
}  // namespace splitbench
