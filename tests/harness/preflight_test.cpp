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

// Silence of 9 s is allowed, but all is over after 8: more than a third of 9 s of silence by then
// is a hang, too.
TEST(Preflight, EndsWhenTheWholeIsOver) {
  PreflightPlan plan = odd_plan(Oddity::hangs, 9);
  plan.whole = Seconds(8);
  const CheckResult hung = result_of(look_at_node(plan), "first-kernel");
  EXPECT_EQ(hung.status, CheckStatus::fail);
  EXPECT_TRUE(hung.fault);
  EXPECT_NE(hung.seen.find("said nothing for"), std::string::npos) << hung.seen;
}

// One that talked a moment ago is not said to hang: it is unknown, by name.
TEST(Preflight, DoesNotCallOneThatOnlyLackedTimeAHang) {
  PreflightPlan plan = odd_plan(Oddity::hangs, 3600);
  plan.whole = Seconds(8);
  const CheckResult late = result_of(look_at_node(plan), "first-kernel");
  EXPECT_EQ(late.status, CheckStatus::unknown);
  EXPECT_EQ(late.seen, "ran out of time while libodd: a first kernel");
  EXPECT_EQ(late.mend, "give it longer with --deadline");
}

TEST(Preflight, TellsWhatIsAskedOfWhichLibrary) {
  PreflightPlan plan = odd_plan(Oddity::throws, 20);
  std::vector<std::string> told;
  plan.doing = [&](const std::string& doing) { told.push_back(doing); };
  look_at_node(plan);
  EXPECT_EQ(told,
            (std::vector<std::string>{"loading libsplitbench_odd.so", "libodd: a first kernel"}));
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

TEST(Checks, SayWhatWeakensAResult) {
  const auto notes = notes_of({passed("module", "loaded"), warned("iommu", "8 groups", "off"),
                               not_known("mig", "no library"), not_known("kernel-driver", "no")});
  EXPECT_EQ(notes, (std::vector<std::string>{"before the run, check iommu (WARN): 8 groups",
                                             "before the run, check mig (UNKNOWN): no library"}));
}

}  // namespace
}  // namespace splitbench
