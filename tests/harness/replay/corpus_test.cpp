// Predictions by public tables of real GPUs, ours and naive ones, beside what the same tables say
// where no prediction could look (harness/proof/table_figures.h).
//
// Figures of the naive ways were computed from the same files by a Python program of its own:
// log-log interpolation between neighbours, and one line with weights 1/t^2 through all sizes but
// those left out. So they show that shapes and truth are what they should be.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/proof/table_figures.h"
#include "model/statistics.h"

namespace splitbench::replay {
namespace {

using proof::TableFigures;

class Corpus : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::is_directory(folder())) {
      GTEST_SKIP() << "there are no tables in " << folder()
                   << " (configure with -DSPLITBENCH_CORPUS=DIR)";
    }
  }
  static std::filesystem::path folder() {
    return std::filesystem::path(SPLITBENCH_CORPUS) / "gpu-tables";
  }
  static GivenFile file(const std::string& name) {
    std::ifstream stream(folder() / name);
    return {.name = name, .text = {std::istreambuf_iterator<char>(stream), {}}};
  }
  // Of the pair with this all-reduce.
  static std::vector<TableFigures> figures(const std::string& name) {
    static const std::vector<proof::PublishedTables> all = proof::published_tables(folder());
    const auto found =
        std::find_if(all.begin(), all.end(), [&name](const auto& one) { return one.name == name; });
    if (found == all.end()) throw std::runtime_error("no tables called " + name);
    return proof::table_figures(*found);
  }
};

const TableFigures& by(const std::vector<TableFigures>& all, std::string_view method) {
  return *std::find_if(all.begin(), all.end(),
                       [method](const TableFigures& one) { return one.method == method; });
}

double mean_error(const TableFigures& figures) {
  return mean(figures.errors, 0.95, "error")->value;
}

void print(const std::string& name, const TableFigures& figures) {
  std::printf(
      "%-22s %3zu shapes: T_N error mean %.2f %%, p95 %.2f %%, max %.1f %%; 95 %% intervals cover "
      "%.1f %%, half width mean %.1f %%; calls: %ld inconclusive, %ld wrong (%ld by value alone)\n",
      name.c_str(), figures.errors.size(), 100 * mean_error(figures),
      100 * quantile(figures.errors, 0.95), 100 * figures.errors.back(),
      100 * figures.covered.share(), 100 * mean(figures.half_widths, 0.95, "width")->value,
      figures.inconclusive.hits, figures.wrong.hits, figures.wrong_winner.hits);
}

// What is known of a way from outside: its errors in percent.
struct Known {
  double mean, p95;
};

void expect_known(const TableFigures& figures, std::size_t shapes, const Known& known) {
  ASSERT_EQ(figures.errors.size(), shapes) << figures.method;
  EXPECT_NEAR(100 * mean_error(figures), known.mean, 0.001) << figures.method;
  EXPECT_NEAR(100 * quantile(figures.errors, 0.95), known.p95, 0.001) << figures.method;
}

struct Case {
  const char* name;
  std::size_t shapes;
  Known log_log;
  Known one_line;
};

// What is asked of ours, percent.
void expect_good(const std::string& name, const TableFigures& ours, const Known& most) {
  print(name, ours);
  EXPECT_LE(100 * mean_error(ours), most.mean) << name;
  EXPECT_LE(100 * quantile(ours.errors, 0.95), most.p95) << name;
  EXPECT_GE(ours.covered.share(), 0.93) << name;
  EXPECT_EQ(ours.wrong.hits, 0) << name;
}

TEST_F(Corpus, DenseTables) {
  const Case cases[] = {{"vidur-a100-pair-nvlink", 259, {0.935, 4.340}, {2.509, 13.446}},
                        {"vidur-h100-pair-nvlink", 259, {0.700, 3.909}, {1.667, 9.973}}};
  for (const Case& c : cases) {
    const auto all = figures(c.name);
    expect_known(by(all, "log-log between neighbours"), c.shapes, c.log_log);
    expect_known(by(all, "one global line, relative"), c.shapes, c.one_line);
    expect_good(c.name, all.front(), {0.9, 4.0});
    EXPECT_EQ(all.front().wrong_winner.hits, 0) << c.name;
  }
}

// The one-shot tables are not among those that the method was chosen on: it must hold there too.
TEST_F(Corpus, FactorTwoTables) {
  const Case cases[] = {{"nccl-a100-sxm", 70, {1.948, 9.168}, {4.921, 19.741}},
                        {"nccl-h100-sxm", 79, {1.741, 8.612}, {4.282, 16.853}},
                        {"oneshot-a100-sxm", 70, {1.306, 6.678}, {1.336, 6.271}},
                        {"oneshot-h100-sxm", 80, {0.684, 2.551}, {1.451, 6.700}}};
  for (const Case& c : cases) {
    const auto all = figures(c.name);
    expect_known(by(all, "log-log between neighbours"), c.shapes, c.log_log);
    expect_known(by(all, "one global line, relative"), c.shapes, c.one_line);
    expect_good(c.name, all.front(), {1.6, 8.0});
  }
}

// H100, d_model 4096, d_ff 8192: with NCCL the winner changes twice, with one-shot it does not.
TEST_F(Corpus, TheWinnerChangesTwiceOnH100WithNccl) {
  const Tables tables = read_tables(
      file("mlp-h100-sxm.tsv"),
      {file("allreduce-nccl-h100-sxm.tsv"), file("allreduce-oneshot-h100-sxm.tsv")}, "");
  const auto speedup = [&](std::int64_t tokens, std::size_t implementation) {
    const auto point = read_point(
        tables, {.tokens = tokens, .d_model = 4096, .d_ff = 8192, .dtype = DataType::bf16}, 2, {},
        0.01);
    return point->implementations[implementation].split->speedup;
  };
  // From the same tables by another program: 1.09, 0.93, 1.05 and 1.32, 1.28, 1.31.
  EXPECT_NEAR(speedup(128, 0), 1.09, 0.005);
  EXPECT_NEAR(speedup(256, 0), 0.93, 0.005);
  EXPECT_NEAR(speedup(512, 0), 1.05, 0.005);
  EXPECT_NEAR(speedup(128, 1), 1.32, 0.005);
  EXPECT_NEAR(speedup(256, 1), 1.28, 0.005);
  EXPECT_NEAR(speedup(512, 1), 1.31, 0.005);
}

}  // namespace
}  // namespace splitbench::replay
