// What people see at the end of a run. The runs are synthetic and the expected lines written by
// hand from what they were made of: the worked base case of the documentation has T1 12.8 ms,
// T2 9.22 ms, speedup 1.388286334, C* 2.453 ms, B_min 1.826 GB/s, eta_min 0.5415.
#include "harness/cli/verdict_screen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "results/result_document.h"
#include "tests/results/synthetic_run.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::ordered_json;

Json document(const Records& records, RunOutcome outcome = RunOutcome::complete) {
  return result_document(records.run, records.sessions, records.rounds, outcome);
}

std::string screen(const Json& result) {
  return cli::verdict_screen(result, {"run 42 in store.db"});
}

std::string screen(const SyntheticRun& run) {
  return screen(document(make_records(run)));
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) list.push_back(line);
  return list;
}

// That the screen has these lines, one right after another.
void expect_lines(const std::string& text, const std::string& expected) {
  EXPECT_NE(("\n" + text).find("\n" + expected), std::string::npos) << expected << "---\n" << text;
}

SyntheticRun three_points() {
  SyntheticRun run;
  run.protocol = synthetic_protocol({1, 16, 500});
  run.truths.resize(3);
  run.truths[0].compute = 0.1e-3;
  run.truths[1].compute = 2.4e-3;
  run.truths[1].split_extra = 0.2e-3;
  return run;
}

TEST(VerdictScreen, SaysWhatRanOnWhat) {
  expect_lines(screen(base_case()),
               "Is the operation faster when split over 2 devices (tensor parallel, TP=2)?\n"
               "  on         2 x CPU core, backend host (CPU cores: not a GPU number)\n"
               "  times      measured on real devices with real clocks\n"
               "  protocol   synthetic: Are known parameters found again?\n"
               "  sampling   6 sessions, 30 rounds; direct launch, hot caches; seed 42\n"
               "  checked    exact cases bit for bit; random data within 4 % of the bound\n");
}

// Of 52 characters for 12.8 ms: S ends at 0.8 ms, 3; C at 8.3 ms, 34; four collectives of 230 us at
// 9.22 ms, 37. Without other sizes no line tells their fixed cost from their bytes.
TEST(VerdictScreen, CollectivesWithoutALineAreOneTerm) {
  Records records = make_records(base_case());
  for (RoundRecord& round : records.rounds) {
    std::erase_if(round.blocks,
                  [](const StepBlock& block) { return block.step.arm == Arm::collective_sweep; });
  }
  const std::string text = screen(document(records));
  EXPECT_NE(text.find("|SSS" + std::string(31, 'C') + "HHH "), std::string::npos) << text;
  expect_lines(text, "  S serial  C divisible  H collectives  . not predicted\n");
  EXPECT_EQ(text.find("= their bytes"), std::string::npos);
  EXPECT_EQ(screen(base_case()).find("H collectives"), std::string::npos);
}

// Of eager arms: a verdict on the split, none on a model.
TEST(VerdictScreen, EagerArmsPredictNothing) {
  Records records = make_records(base_case());
  records.run.launch = Launch::eager;
  const std::string text = screen(document(records));
  expect_lines(text,
               "  500 tokens  FASTER 1.39x [1.39, 1.39], predicted unknown\n"
               "  The prediction of T_N: INCONCLUSIVE. The formula for it: INCONCLUSIVE.\n");
  EXPECT_NE(text.find("eager arms carry launch costs"), std::string::npos);
  EXPECT_EQ(text.find("S serial"), std::string::npos);
}

TEST(VerdictScreen, AnswersFirst) {
  expect_lines(screen(base_case()),
               "ANSWER: does splitting pay?\n"
               "  500 tokens  FASTER 1.39x [1.39, 1.39], predicted 1.39x [1.39, 1.39]\n"
               "  The prediction of T_N: HOLDS. The formula for it: HOLDS.\n");
}

// Of 52 columns for 12.8 ms, S takes 3.25; the split's S and C end at 33.7, its fixed costs at 34.2
// and its bytes at 37.5.
TEST(VerdictScreen, ShowsBothBudgetsToOneScale) {
  const std::string s(3, 'S');
  expect_lines(screen(base_case()), "  one device |" + s + std::string(49, 'C') + "| 12.8 ms\n" +
                                        "  split      |" + s + std::string(31, 'C') +
                                        "===" + std::string(15, ' ') + "| 9.22 ms\n");
}

TEST(VerdictScreen, GivesVerdictsAndParametersInWords) {
  const std::string text = screen(base_case());
  expect_lines(text,
               "500 tokens: d_model 1000, d_ff 4000, 4 layers, fp32, all-reduces of 2.00 MB ----\n"
               "  SPLIT: FASTER 1.39x [1.39, 1.39]  (9.22 ms on 2 cores, 12.8 ms on one)\n");
  expect_lines(text,
               "  measured   9.22 ms [9.22, 9.22]    T_N is off by         unseen   verdict\n"
               "  predicted  9.22 ms [9.22, 9.22]    0.0 % [0.0, 0.0]      0.0 %    HOLDS\n");
  expect_lines(text,
               "  serial S       800 us [800, 800]         divisible C  12.0 ms [12.0, 12.0]\n"
               "  efficiency eta 0.800 [0.800, 0.800]      collective   230 us [230, 230]\n"
               "  fixed cost l   30.0 us [30.0, 30.0]      bandwidth B  10.0 GB/s [10.0, 10.0]\n"
               "  one share: 6.00 ms alone, 7.50 ms with all ranks at work: 1.25x [1.25, 1.25]\n"
               "  splitting pays above C* 2.45 ms; above B 1.83 GB/s; above eta 0.542\n");
}

TEST(VerdictScreen, GivesTheReasonsInFullForASinglePoint) {
  const std::string text = screen(base_case());
  expect_lines(text,
               "    split: T1/T_N differs from 1 by +38.83 % to +38.83 % (95 % interval), above\n"
               "      the least effect that counts, 1 %\n");
  EXPECT_NE(text.find("    predicted: T_N differs from its prediction by"), std::string::npos);
  EXPECT_NE(text.find("    formula: T_N differs from its prediction by"), std::string::npos);
}

// The worked base case at 2.50 an hour: see ResultDocument, 0.01778 against 0.02561, 1.440625.
TEST(VerdictScreen, SaysWhatItCostsWhereAPriceWasGiven) {
  Records records = make_records(base_case());
  records.run.price_per_hour = 2.5;
  expect_lines(screen(document(records)),
               "  a million tokens cost 0.0178 on one device, 0.0256 split (x1.44), at 2.5 per\n"
               "    device and hour\n");
}

TEST(VerdictScreen, SaysWhereItIsStored) {
  const Json result = document(make_records(base_case()));
  expect_lines(cli::verdict_screen(result, {"run 42 in store.db", "result.json"}),
               "Stored: run 42 in store.db\nStored: result.json\n");
  expect_lines(cli::verdict_screen(result, {}), "Not stored.\n");
}

// At 1 token T1 is 0.9 ms, and T2 0.8 + 0.1/1.6 + 4 (0.03 + 0.0004) = 0.9841 ms: 0.9145x. At 16
// T1 is 3.2 ms, and T2 0.8 + 1.5 + 4 (0.03 + 0.0064) + 0.2 = 2.6456 ms: 1.2096x, where 2.4456 ms
// and 1.3085x are predicted; the 0.2 ms are nobody's term: +8.18 %, ln(2.6456 / 2.4456) = 7.86 %.
TEST(VerdictScreen, SumsUpSeveralPoints) {
  const std::string text = screen(three_points());
  expect_lines(text,
               "ANSWER: does splitting pay?\n"
               "  1 token     SLOWER 0.915x [0.915, 0.915], predicted 0.915x [0.915, 0.915]\n"
               "  16 tokens   FASTER 1.21x [1.21, 1.21], predicted 1.31x [1.31, 1.31]\n"
               "  500 tokens  FASTER 1.39x [1.39, 1.39], predicted 1.39x [1.39, 1.39]\n"
               "  The prediction of T_N holds at 2 of 3 points, the formula at 2.\n");
  expect_lines(text, "  predicted  2.45 ms [2.45, 2.45]    +8.2 % [+8.2, +8.2]   7.9 %    FAILS\n");
  expect_lines(text,
               "    predicted: T_N less prediction is +200 us: composition +200 us; formula: T_N\n"
               "    less prediction is +200 us: composition +200 us\n");
  EXPECT_NE(text.find("CCCCll=..."), std::string::npos) << "what was not predicted ends the bar";
  // l (30 us) for 4 layers is more than the 0.0375 ms that dividing 0.1 ms saves.
  EXPECT_NE(text.find("no B is enough"), std::string::npos);
}

TEST(VerdictScreen, SaysHowManySessionsWouldDecide) {
  Json result = document(make_records(three_points()));
  Json& comparison = result["points"][2]["comparison"];
  comparison["model_verdict"] = "inconclusive";
  comparison["model_sessions_needed"] = 38;
  comparison["fit_verdict"] = "inconclusive";
  comparison["fit_sessions_needed"] = nullptr;
  expect_lines(screen(result),
               "    predicted: needs about 38 sessions; formula: more sessions will hardly\n"
               "    decide, a quieter machine may\n");
}

// Fewer than there were cannot be what is missing: one more, then.
TEST(VerdictScreen, NeverAsksForSessionsThatThereWere) {
  Json result = document(make_records(three_points()));
  result["points"][2]["comparison"]["model_verdict"] = "inconclusive";
  result["points"][2]["comparison"]["model_sessions_needed"] = 5;
  expect_lines(screen(result), "    predicted: needs about 7 sessions\n");
}

TEST(VerdictScreen, SaysWhichEffectIsTooSmallToCount) {
  Json result = document(make_records(three_points()));
  result["points"][0]["comparison"]["split_verdict"] = "tie";
  result["points"][2]["comparison"]["split_verdict"] = "inconclusive";
  result["points"][2]["comparison"]["aa"]["least_effect"] = 0.024;
  const std::string text = screen(result);
  expect_lines(text, "    split: within the least effect that counts, 1 %\n");
  expect_lines(text, "    split: not clear of the least effect that counts, 2.4 %\n");
}

TEST(VerdictScreen, IsOneScreenOf80ColumnsOfAscii) {
  SyntheticRun noisy = three_points();
  noisy.session_noise = 0.03;
  noisy.repeat_noise = 0.05;
  SyntheticRun one_session = base_case();
  one_session.sessions = 1;
  SyntheticRun too_large = base_case();
  too_large.fits_one_device = false;
  Records wordy = make_records(three_points());
  wordy.run.protocol.purpose = std::string(300, 'w') + " and so on";
  wordy.run.notes.assign(9, "one sweep size was dropped for the budget of 60 s, as said before");
  for (const Json& result :
       {document(make_records(base_case())), document(make_records(three_points())),
        document(make_records(noisy)), document(make_records(one_session), RunOutcome::partial),
        document(make_records(too_large)), document(wordy)}) {
    const std::vector<std::string> all = lines(screen(result));
    EXPECT_GE(all.size(), 24);
    EXPECT_LE(all.size(), 70);
    for (const std::string& line : all) {
      EXPECT_LE(line.size(), 80) << line;
      EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) {
        return c >= ' ' && c <= '~';
      })) << line;
    }
  }
  EXPECT_LE(lines(screen(three_points())).size(), 60);
}

TEST(VerdictScreen, AVoidRunHasNoNumbers) {
  Records records = make_records(base_case());
  records.sessions[3].correctness[0].exact_integers_passed = false;
  records.sessions[3].correctness[0].failure = "y[0][3] is 7, expected 8";
  const std::string text = screen(document(records));
  expect_lines(text,
               "  checked    FAILED at 500 tokens: y[0][3] is 7, expected 8\n"
               "\n"
               "VOID: a check failed: no number of this run counts\n");
  EXPECT_EQ(text.find("ANSWER"), std::string::npos);
  EXPECT_EQ(text.find(" ms"), std::string::npos);
}

// Of 30 rounds 10 were disturbed by another process and 20 by heat.
TEST(VerdictScreen, ARunWithoutARoundThatCountsNamesTheCommonestCause) {
  Records records = make_records(base_case());
  for (std::size_t i = 0; i < records.rounds.size(); ++i) {
    records.rounds[i].void_reason = i < 10 ? "another process was there" : "rank 1 was hot";
  }
  const std::string text = screen(document(records));
  expect_lines(text, "VOID: no round counts, most often because rank 1 was hot\n");
  EXPECT_EQ(text.find("ANSWER"), std::string::npos);
}

TEST(VerdictScreen, OneSessionHasNoIntervalAndSaysSo) {
  SyntheticRun run = base_case();
  run.sessions = 1;
  const std::string text = screen(document(make_records(run), RunOutcome::partial));
  expect_lines(text,
               "PARTIAL: the run ended early; this is what it had stored.\n"
               "\n"
               "ANSWER: does splitting pay?  (of 1 session; a dependable verdict takes 6)\n"
               "  500 tokens  INCONCLUSIVE 1.39x, predicted 1.39x\n");
  expect_lines(text,
               "  predicted  9.22 ms                 0.0 %                 unknown  "
               "INCONCLUSIVE\n");
  expect_lines(text,
               "NOTES: what weakens this result, what was left out\n"
               "  - ended early: 5 rounds of 30 count\n"
               "  - a dependable verdict takes 6 sessions, this one has 1\n");
}

TEST(VerdictScreen, ARunWithoutRoundsSaysUnknown) {
  Records records = make_records(base_case());
  records.sessions.clear();
  records.rounds.clear();
  const std::string text = screen(document(records, RunOutcome::partial));
  expect_lines(text, "  checked    NOTHING: no session left a record of its checks\n");
  expect_lines(text, "  SPLIT: INCONCLUSIVE  (unknown on 2 cores, unknown on one)\n");
  EXPECT_NE(text.find("not measured: empty, empty_all_ranks, serial"), std::string::npos);
}

TEST(VerdictScreen, AnOperationTooLargeForOneDeviceHasNoSpeedup) {
  SyntheticRun run = base_case();
  run.fits_one_device = false;
  const std::string text = screen(run);
  expect_lines(text, "  500 tokens  too large for one device: there is no speedup\n");
  expect_lines(text, "  SPLIT: FITS-ONLY-SPLIT  (9.22 ms on 2 cores, too large for one)\n");
  EXPECT_EQ(text.find("one device |"), std::string::npos);
  EXPECT_EQ(text.find("splitting pays"), std::string::npos);
  Records records = make_records(run);
  records.run.price_per_hour = 2.5;
  const std::string cost = screen(document(records));
  EXPECT_NE(cost.find("a million tokens cost unknown on one device, 0.0256 split, at 2.5"),
            std::string::npos)
      << cost;
}

// Without the sweep there is no line: no l, no B, and nothing that B would have to be.
TEST(VerdictScreen, WithoutASweepTheLineIsUnknown) {
  SyntheticRun run = base_case();
  std::erase(run.protocol.arms, Arm::collective_sweep);
  const std::string text = screen(run);
  expect_lines(text, "  fixed cost l   unknown                   bandwidth B  unknown\n");
  expect_lines(text, "  splitting pays above C* 2.45 ms; B unknown; above eta 0.542\n");
  EXPECT_NE(text.find("    formula: no prediction: "), std::string::npos);
}

TEST(VerdictScreen, NeverCallsOtherTimesMeasured) {
  Json result = document(make_records(base_case()));
  result["backend"] = "cuda";
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"virtual", "  times      VIRTUAL: simulated, no device was measured\n"},
      {"tabulated", "  times      TABULATED: looked up in tables of times, nothing was run\n"},
      {"stand-in",
       "  times      STAND-IN: CPU libraries in place of the GPU's; nothing about a GPU\n"}};
  for (const auto& [kind, line] : kinds) {
    result["times_are"] = kind;
    const std::string text = screen(result);
    expect_lines(text, line);
    EXPECT_NE(text.find("9.22 ms on 2 devices"), std::string::npos);
    EXPECT_EQ(text.find("CPU cores"), std::string::npos);
  }
}

TEST(VerdictScreen, SaysWhereRandomDataWereNoCheck) {
  Json result = document(make_records(base_case()));
  result["points"][0]["correctness"]["bound_informative"] = false;
  expect_lines(screen(result), "  checked    exact cases bit for bit; random data say nothing\n");
}

TEST(VerdictScreen, TellsPointsApartByTheSizesInWhichTheyDiffer) {
  SyntheticRun run;
  run.protocol = synthetic_protocol({500, 100});
  run.protocol.points[1].tokens = 500;
  run.protocol.points[1].layers = 2;
  run.truths.resize(2);
  const std::string text = screen(run);
  EXPECT_NE(text.find("\n  500 tokens, 4 layers  FASTER"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  500 tokens, 2 layers  FASTER"), std::string::npos) << text;
  EXPECT_NE(text.find("\n500 tokens: d_model 1000, d_ff 4000, 2 layers, fp32, all-reduces"),
            std::string::npos)
      << text;
}

TEST(VerdictScreen, PointsBeyondTheThirdAreOnlyAnswered) {
  SyntheticRun run;
  run.protocol = synthetic_protocol({100, 200, 300, 500});
  run.truths.resize(4);
  const std::string text = screen(run);
  EXPECT_NE(text.find("\n  500 tokens  FASTER"), std::string::npos);
  EXPECT_EQ(text.find("\n500 tokens:"), std::string::npos);
  expect_lines(text, "  1 more point in detail in the result document only\n");
}

// Of GPUs; a run of CPU cores has none.
TEST(VerdictScreen, SaysWhetherTheAllReduceIsNormalOfItsLink) {
  Json result = document(make_records(base_case()));
  EXPECT_EQ(screen(result).find("normal?"), std::string::npos);
  result["normal"] = {{{"what", "all-reduce of 8.389 MB, bus bandwidth"},
                       {"from", "this run"},
                       {"bytes_per_s", 177.4e9},
                       {"ceiling_bytes_per_s", 450e9},
                       {"ceiling_from", "a datasheet"},
                       {"share", 0.394},
                       {"usual", {{"low", 0.105}, {"high", 0.682}}},
                       {"causes", nullptr}}};
  expect_lines(screen(result),
               "  normal?     all-reduce of 8.389 MB, bus bandwidth: 177.4 GB/s, 39 % of the 450\n"
               "              GB/s of its link; usual are 10 to 68 %\n");
}

}  // namespace
}  // namespace splitbench::test
