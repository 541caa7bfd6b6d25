// Checks whose children hang, crash, or are no children at all: every check has an outcome, and
// what nobody looked at never passes.
#include "harness/preflight/preflight.h"

#include <gtest/gtest.h>

#include "tests/harness/modules/odd.h"

namespace splitbench {
namespace {

using test::Oddity;

const std::vector<Risk> kAll{Risk::surroundings, Risk::management, Risk::peers, Risk::collective,
                             Risk::staged};

PreflightPlan odd_plan(Oddity oddity, double silence_s) {
  return {.module = SPLITBENCH_TEST_MODULES "/libsplitbench_odd.so",
          .devices = {.ranks = 1, .devices = {static_cast<int>(oddity)}},
          .risks = {},
          .silence = Seconds(silence_s),
          .program = SPLITBENCH_PROGRAM};
}

CheckResult result_of(const Preflight& preflight, const std::string& check) {
  for (const CheckResult& result : preflight.results) {
    if (result.check == check) return result;
  }
  ADD_FAILURE() << check << " is not among the results";
  return {};
}

// Every source of every check taken away: children that end at once without a word.
TEST(Preflight, HasNoPassWhereNobodyLooked) {
  const Preflight preflight =
      look_at_node({.module = "", .devices = {}, .risks = kAll, .program = "/bin/true"});
  EXPECT_EQ(preflight.results.size(), known_checks().size());
  for (const CheckResult& result : preflight.results) {
    EXPECT_EQ(result.status, CheckStatus::unknown) << result.check << ": " << result.seen;
    EXPECT_NE(result.seen, "") << result.check;
  }
}

TEST(Preflight, HasNoPassWhereChildrenTalkNonsense) {
  const Preflight preflight =
      look_at_node({.module = "", .devices = {}, .risks = kAll, .program = "/bin/echo"});
  for (const CheckResult& result : preflight.results) {
    EXPECT_EQ(result.status, CheckStatus::unknown) << result.check << ": " << result.seen;
  }
}

TEST(Preflight, HasNoPassWhereNoChildCanBeStarted) {
  const Preflight preflight =
      look_at_node({.module = "", .devices = {}, .risks = kAll, .program = "/no/such/program"});
  for (const CheckResult& result : preflight.results) {
    EXPECT_EQ(result.status, CheckStatus::unknown) << result.check << ": " << result.seen;
  }
}

TEST(Preflight, NamesTheCheckThatHangsAndKeepsThoseBeforeIt) {
  const Preflight preflight = look_at_node(odd_plan(Oddity::hangs, 1));
  EXPECT_EQ(result_of(preflight, "module").status, CheckStatus::pass);
  const CheckResult hung = result_of(preflight, "first-kernel");
  EXPECT_EQ(hung.status, CheckStatus::fail);
  EXPECT_TRUE(hung.fault);
  EXPECT_EQ(hung.seen, "said nothing for 1 s while libodd: a first kernel");
  EXPECT_EQ(result_of(preflight, "products").status, CheckStatus::unknown);
  EXPECT_EQ(result_of(preflight, "device-count").status, CheckStatus::unknown);
}

TEST(Preflight, NamesTheCheckThatCrashes) {
  const CheckResult crashed =
      result_of(look_at_node(odd_plan(Oddity::crashes, 20)), "first-kernel");
  EXPECT_EQ(crashed.status, CheckStatus::fail);
  EXPECT_NE(crashed.seen.find("signal 6"), std::string::npos) << crashed.seen;
}

TEST(Preflight, PassesOnWhatABackendThrows) {
  const CheckResult thrown = result_of(look_at_node(odd_plan(Oddity::throws, 20)), "first-kernel");
  EXPECT_EQ(thrown.status, CheckStatus::fail);
  EXPECT_TRUE(thrown.fault);
  EXPECT_EQ(thrown.seen, "libodd: error 802");
}

TEST(Checks, AreOrderedByGravity) {
  const auto with = [](CheckStatus status) { return CheckResult{.check = "x", .status = status}; };
  EXPECT_EQ(worst_of({}), CheckStatus::unknown);
  const std::vector<CheckResult> some{with(CheckStatus::pass), with(CheckStatus::warn)};
  EXPECT_EQ(worst_of(some), CheckStatus::warn);
  const std::vector<CheckResult> more{with(CheckStatus::unknown), with(CheckStatus::warn)};
  EXPECT_EQ(worst_of(more), CheckStatus::unknown);
  const std::vector<CheckResult> all{with(CheckStatus::unknown), with(CheckStatus::fail),
                                     with(CheckStatus::pass)};
  EXPECT_EQ(worst_of(all), CheckStatus::fail);
}

template <class Throw>
std::string thrown_by(const std::vector<CheckResult>& results) {
  try {
    require_sound(results);
  } catch (const Throw& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Checks, RefuseARunWithTheLineThatMendsIt) {
  EXPECT_NO_THROW(require_sound({warned("iommu", "8 groups", "off"), not_known("mig", "no")}));
  const std::string expected = "check mig: on\nTo mend it: nvidia-smi -mig 0";
  EXPECT_EQ(thrown_by<CannotRunHere>({failed("mig", "on", "nvidia-smi -mig 0")}), expected);
  const std::vector<CheckResult> wrong{faulty("mig", "on", "nvidia-smi -mig 0")};
  EXPECT_EQ(thrown_by<HarnessError>(wrong), expected);
  EXPECT_THROW(
      {
        try {
          require_sound(wrong);
        } catch (const CannotRunHere&) {
          FAIL() << "a fault is no environment that cannot do it";
        }
      },
      HarnessError);
}

TEST(Checks, SayWhatWeakensAResult) {
  const auto notes = notes_of({passed("module", "loaded"), warned("iommu", "8 groups", "off"),
                               not_known("mig", "no library"), not_known("kernel-driver", "no")});
  EXPECT_EQ(notes, (std::vector<std::string>{"before the run, check iommu (WARN): 8 groups",
                                             "before the run, check mig (UNKNOWN): no library"}));
}

}  // namespace
}  // namespace splitbench
