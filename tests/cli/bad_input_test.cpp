// Bad input on the command line: exit 2, nothing on standard output, and a message to act on.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace splitbench::test {
namespace {

struct BadInput {
  std::vector<std::string> arguments;
  std::string says;  // what standard error must contain
};

// The base case with one option's value replaced, or with more options behind it.
std::vector<std::string> with(const std::string& option, const std::string& value) {
  std::vector<std::string> all{"predict", "--serial",     "0.8ms", "--compute",
                               "12ms",    "--efficiency", "0.8",   "--collectives",
                               "4",       "--latency",    "30us",  "--bytes",
                               "2MB",     "--bandwidth",  "10GB/s"};
  for (std::size_t i = 1; i < all.size(); i += 2) {
    if (all[i] == option) {
      all[i + 1] = value;
      return all;
    }
  }
  all.push_back(option);
  if (!value.empty()) all.push_back(value);
  return all;
}

const std::vector<BadInput>& bad_inputs() {
  static const std::vector<BadInput> inputs{
      {{}, "no command was given"},
      {{"predcit"}, "predcit"},
      {{"--verbose"}, "--verbose"},
      {{"predict"}, "--serial --compute --efficiency --collectives"},
      {{"predict", "--collectives", "4"}, "--latency --bytes --bandwidth"},
      {with("--serial", "12"), "expected a time with its unit"},
      {with("--serial", ""), "--serial"},
      {with("--serial", "-1ms"), "--serial"},
      {with("--serial", "1e999s"), "fits a double"},
      {with("--serial", "nan"), "'nan'"},
      {with("--serial", "12 parsecs"), "'12 parsecs'"},
      {with("--compute", "12MS"), "'12MS'"},
      {with("--compute", "1,5ms"), "'1,5ms'"},
      {with("--compute", "2MB"), "expected a time"},
      {with("--efficiency", "0"), "--efficiency"},
      {with("--efficiency", "-0.5"), "--efficiency"},
      {with("--efficiency", "80%"), "plain number"},
      {with("--efficiency", "inf"), "plain number"},
      {with("--collectives", "-4"), "--collectives"},
      {with("--collectives", "4.5"), "whole number"},
      {with("--collectives", "many"), "whole number"},
      {with("--latency", "30"), "'30'"},
      {with("--latency", "30GB/s"), "expected a time"},
      {with("--bytes", "2mb"), "2MB (10^6)"},
      {with("--bytes", "-2MB"), "--bytes"},
      {with("--bytes", "12ms"), "expected a size"},
      {with("--bandwidth", "10"), "rate with its unit"},
      {with("--bandwidth", "10GB"), "'10GB'"},
      {with("--bandwidth", "10Gb/s"), "100Gbit/s"},
      {with("--bandwidth", "0GB/s"), "--bandwidth"},
      {with("--bandwidth", "-1GB/s"), "--bandwidth"},
      {with("--ranks", "0"), "expected 1 to"},
      {with("--ranks", "two"), "whole number"},
      {with("--ranks", "99999999999"), "out of range"},
      {with("--format", "xml"), "expected table or json"},
      {with("--sweep", "compute"), "no '='"},
      {with("--sweep", "comput=1ms:2ms:lin:5"), "no parameter (serial, compute"},
      {with("--sweep", "compute=1ms:2ms:lin"), "3 parts"},
      {with("--sweep", "compute=2ms:1ms:lin:5"), "FROM below TO"},
      {with("--sweep", "compute=0ms:1ms:log:5"), "log scale begins above 0"},
      {with("--sweep", "compute=1ms:2ms:cubic:5"), "neither lin nor log"},
      {with("--sweep", "compute=1ms:2ms:lin:1"), "COUNT is 1"},
      {with("--sweep", "compute=1ms:2ms:lin:99999999"), "outside 2 to"},
      {with("--sweep", "compute=1:2:lin:5"), "expected a time"},
      {with("--sweep", "efficiency=-1:1:lin:5"), "--efficiency: "},
      {with("--sweep", "ranks=0:4:lin:5"), "--ranks: "},
      {with("--sweep", "bandwidth=1GB/s:inf:lin:5"), "finite"},
      {with("--cases", ""), "--cases"},
      {with("--replicas", "4"), "--replicas"},
      {{"predict", "--replicas", "4"}, "--samples-per-second"},
      {{"predict", "--replicas", "4", "--samples-per-second", "10", "--scaling-efficiency", "1.2"},
       "--scaling-efficiency: expected a value above 0 and at most 1"},
      {{"predict", "--replicas", "4", "--samples-per-second", "-1", "--scaling-efficiency", "1"},
       "--samples-per-second"},
      {{"predict", "--jobs", "8x12"}, "expected a time"},
      {{"predict", "--jobs", ""}, "--jobs"},
      {{"predict", "--jobs", "0x12min"}, "--jobs"},
      {{"predict", "--jobs", "999999999x1s"}, "more than"},
      {{"predict", "--jobs", "1min,,2min"}, "expected a time"},
      {{"predict", "--jobs", "-1min"}, "--jobs"},
      {{"predict", "--devices", "2"}, "--jobs"},
      {{"predict", "--jobs", "2x1min", "--devices", "0"}, "expected 1 to"},
      {{"predict", "--jobs", "2x1min", "--max-concurrent", "0"}, "expected 1 to"},
      {with("extra", ""), "extra"},
      {{"predict", "--serial", "1e308s", "--compute", "1e308s", "--efficiency", "1",
        "--collectives", "0"},
       "too large to add up"},
      {with("--efficiency", "1e-320"), "too large to add up"},
      {{"predict", "--replicas", "2000000000", "--samples-per-second", "1e308",
        "--scaling-efficiency", "1"},
       "too large to add up"},
      {{"predict", "--jobs", "3x1e308s", "--devices", "2"}, "too large to add up"},
      {{"predict", "--jobs", "1min", "--devices", "2000000000"}, "at most 1000000"},
  };
  return inputs;
}

TEST(BadInput, EachIsAnsweredWithExitTwoAndAMessage) {
  for (const BadInput& bad : bad_inputs()) {
    std::string shown;
    for (const std::string& argument : bad.arguments) shown += " " + argument;
    const ProcessResult result = run_splitbench(bad.arguments);
    EXPECT_EQ(result.exit_code, 2) << shown << "\n" << result.err;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_NE(result.err.find(bad.says), std::string::npos) << shown << "\n" << result.err;
  }
}

// A reader that has seen enough: quiet, and the code that a shell has for SIGPIPE, whether or not
// that signal is ignored here.
TEST(BadInput, AReaderThatLeavesIsNoFault) {
  for (const char* trap : {"", "trap '' PIPE; "}) {
    const ProcessResult result =
        Program(
            "/bin/bash",
            {"-c", std::string(trap) + "exec 3> >(exec 0<&-; true); wait $!; \"$0\" list arms >&3",
             SPLITBENCH_PROGRAM})
            .wait();
    EXPECT_EQ(result.exit_code, 141) << trap;
    EXPECT_EQ(result.err, "") << trap;
  }
}

}  // namespace
}  // namespace splitbench::test
