// Tables that others published are found by their names, and predictions by them are judged as they
// should be: on tables whose answers can be computed by hand (tests/harness/replay/worked.h).
#include "harness/proof/published_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "harness/proof/table_figures.h"
#include "harness/proof/table_study.h"
#include "protocols/document.h"
#include "tests/harness/replay/worked.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::proof {
namespace {

class TablesOfOthers : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::vector<PublishedTables> read() const { return published_tables(folder_.path()); }
  std::string refusal() const {
    try {
      read();
    } catch (const BadDocument& error) {
      return error.what();
    }
    return "read";
  }

 private:
  test::TemporaryDirectory folder_;
};

const std::string kDenseProducts =
    "# source: by hand, products\n"
    "tokens\ttensor_parallel\tup_us\tact_us\tdown_us\tpost_norm_us\n"
    "8\t1\t100\t10\t50\t1\n"
    "8\t1\t104\t10\t54\t1\n"
    "8\t2\t60\t5\t30\t1\n"
    "16\t1\t200\t20\t100\t1\n"
    "16\t2\t110\t10\t55\t1\n"
    "32\t1\t400\t40\t200\t1\n";
const std::string kDenseAllReduce =
    "# source: by hand, all-reduce\n"
    "message_bytes\tmin_us\tmedian_us\tmax_us\n"
    "65536\t8\t10\t12\n"
    "131072\t18\t20\t22\n"
    "262144\t38\t40\t42\n";

TEST_F(TablesOfOthers, ArePairedByTheNamesOfTheirFiles) {
  write("mlp-x1-sxm.tsv", replay::mlp_text());
  write("mlp-x2-sxm.tsv", replay::mlp_text());
  write("allreduce-nccl-x1-sxm.tsv", replay::collective_text(20));
  write("allreduce-oneshot-x1-sxm.tsv", replay::collective_text(5));
  write("allreduce-nccl-x3-sxm.tsv", replay::collective_text(20));
  write("mlp-vidur-x1-llama-2-7b.tsv", kDenseProducts);
  write("mlp-vidur-x1-other-model.tsv", kDenseProducts);
  write("allreduce-vidur-x1-pair.tsv", kDenseAllReduce);
  write("notes.txt", "not a table");
  const auto all = read();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "nccl-x1-sxm");
  EXPECT_EQ(all[1].name, "oneshot-x1-sxm");
  EXPECT_EQ(all[2].name, "vidur-x1-pair");
  EXPECT_FALSE(all[0].dense);
  EXPECT_TRUE(all[2].dense);
  EXPECT_EQ(all[2].sources, (std::vector<std::string>{"by hand, products", "by hand, all-reduce"}));
}

// 8 tokens: medians of the two rows, 102 + 10 and 52; 32 tokens have no half.
TEST_F(TablesOfOthers, DenseOnesHaveTheActivationWithTheFirstProduct) {
  write("mlp-vidur-x1-llama-2-7b.tsv", kDenseProducts);
  write("allreduce-vidur-x1-pair.tsv", kDenseAllReduce);
  const auto all = read();
  const replay::WidthTimes& times = all.front().tables.mlp.widths().at({4096, 11008});
  ASSERT_EQ(times.full.entries().size(), 2U);
  EXPECT_NEAR(times.full.at(8)->time.value(), 164e-6, 1e-12);
  EXPECT_NEAR(times.shard.at(8)->time.value(), 95e-6, 1e-12);
  EXPECT_NEAR(times.full.at(16)->time.value(), 320e-6, 1e-12);
  const auto curve = all.front().tables.collectives.front().find(Bytes(131072), 2);
  EXPECT_NEAR((*curve)->at(131072)->time.value(), 20e-6, 1e-12);
}

TEST_F(TablesOfOthers, AFolderWithoutAPairIsRefused) {
  write("mlp-x1.tsv", replay::mlp_text());
  write("allreduce-nccl-x2.tsv", replay::collective_text(20));
  EXPECT_NE(refusal().find("expected mlp-GPU.tsv with allreduce-IMPLEMENTATION-GPU.tsv"),
            std::string::npos)
      << refusal();
  EXPECT_THROW(published_tables("/no/such/folder"), BadDocument);
}

TEST_F(TablesOfOthers, AFileThatIsWrongIsNamedWithItsLine) {
  write("mlp-x1.tsv", replay::mlp_text());
  write("allreduce-nccl-x1.tsv", "ranks\tmessage_bytes\tlatency_us\n2\t2000\tsoon\n");
  EXPECT_NE(refusal().find("allreduce-nccl-x1.tsv:2:"), std::string::npos) << refusal();
}

// T1 = 100 + 10 m and T_N = 80 + 7 m us at m tokens; 1 and 1024 have no neighbour on one side.
class TablesByHand : public TablesOfOthers {
 protected:
  void SetUp() override {
    write("mlp-x1.tsv", replay::mlp_text());
    write("allreduce-hand-x1.tsv", replay::collective_text(20));
  }
  TableFigures by(std::string_view method) const {
    const auto all = table_figures(read().front());
    return *std::find_if(all.begin(), all.end(),
                         [method](const TableFigures& one) { return one.method == method; });
  }
};

TEST_F(TablesByHand, StraightLinesReadAStraightLine) {
  for (const char* method : {"ours, read around V", "one global line, relative"}) {
    const TableFigures figures = by(method);
    ASSERT_EQ(figures.errors.size(), 9U) << method;
    EXPECT_NEAR(figures.errors.back(), 0.0, 1e-9) << method;
    EXPECT_EQ(figures.right.hits, 9) << method;
    EXPECT_EQ(figures.wrong.hits + figures.inconclusive.hits, 0) << method;
  }
}

// Between neighbours of a factor of 4: sqrt((20 + m) (20 + 4 m)) instead of 20 + 2 m, which is most
// of T_N at m = 8: 38.15757 instead of 36, 2.15757 of 136 us.
TEST_F(TablesByHand, LogLogIsTooSlowWhereTheCollectiveBends) {
  const TableFigures figures = by("log-log between neighbours");
  EXPECT_NEAR(figures.errors.back(), 2.15757 / 136.0, 1e-7);
  EXPECT_EQ(figures.covered.trials, 0) << "it has no interval";
  EXPECT_EQ(figures.right.hits, 9);
}

// Half of 100 + 10 m is 10 us less than the half's own 60 + 5 m: most of T_N at m = 2, 94 us.
TEST_F(TablesByHand, EtaOfOneIsTooFastByWhatDividingCosts) {
  const TableFigures figures = by("eta = 1");
  EXPECT_NEAR(figures.errors.back(), 10.0 / 94.0, 1e-9);
  EXPECT_NEAR(figures.errors.front(), 10.0 / 3664.0, 1e-9);
}

// Within a factor of 2 of V there are two sizes but V.
TEST_F(TablesByHand, ALocalLineNeedsMoreSizes) {
  const TableFigures figures = by("l and B around V");
  EXPECT_EQ(figures.none.hits, 9);
  EXPECT_TRUE(figures.errors.empty());
}

TEST_F(TablesByHand, TheStudyClaimsWhatIsAskedOfOurs) {
  Order order;
  order.tables = read();
  Ticker ticker(true);
  const Study study = std::move(public_tables(order, ticker).front());
  EXPECT_EQ(study.not_run, "");
  EXPECT_EQ(study.rows.size(), 6U);
  ASSERT_EQ(study.claims.size(), 4U);
  for (const Claim& claim : study.claims) EXPECT_EQ(claim.outcome, ClaimOutcome::met) << claim.what;
}

// All-reduce of 20 + 2 m us, but 300 us at 64 tokens alone: no reading between entries can know.
TEST_F(TablesOfOthers, WhatIsAskedCanBeMissed) {
  write("mlp-x1.tsv", replay::mlp_text());
  std::string text = replay::collective_text(20);
  text.replace(text.find("128000\t148"), 10, "128000\t900");
  write("allreduce-hand-x1.tsv", text);
  Order order;
  order.tables = read();
  Ticker ticker(true);
  const auto studies = public_tables(order, ticker);
  const auto& claims = studies.front().claims;
  EXPECT_GT(std::count_if(claims.begin(), claims.end(),
                          [](const Claim& one) { return one.outcome == ClaimOutcome::missed; }),
            0);
}

TEST(PublicTables, WithoutTablesTheStudySaysThatItWasNotRun) {
  Ticker ticker(true);
  const auto studies = public_tables(Order{}, ticker);
  ASSERT_EQ(studies.size(), 1U);
  EXPECT_NE(studies.front().not_run.find("--tables"), std::string::npos);
  EXPECT_TRUE(studies.front().rows.empty());
  EXPECT_TRUE(studies.front().claims.empty());
}

}  // namespace
}  // namespace splitbench::proof
