// `splitbench fit` as its users run it.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.h"
#include "tests/support/schema.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

using Json = nlohmann::json;

// 20 us and 10 GB/s up to 1 MiB, 100 us and 40 GB/s beyond: exact.
std::string table() {
  std::string text = "ranks\tmessage_bytes\tlatency_us\n";
  for (int size = 4096; size <= 64 * 1048576; size *= 2) {
    const double time = size <= 1048576 ? 20.0 + size / 10e3 : 100.0 + size / 40e3;
    text += "2\t" + std::to_string(size) + "\t" + std::to_string(time) + "\n";
  }
  return text;
}

class FitCommand : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = directory_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  TemporaryDirectory directory_;
};

TEST_F(FitCommand, PrintsOneDocument) {
  const auto result =
      run_splitbench({"fit", file("t.tsv", table()), "--at", "8MiB", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json fit = Json::parse(result.out);
  ASSERT_EQ(fit["segments"].size(), 2U);
  EXPECT_EQ(fit["segments"][0]["to_bytes"], 1048576);
  EXPECT_EQ(fit["segments"][1]["from_bytes"], 2097152);
  EXPECT_NEAR(fit["segments"][1]["bandwidth_bytes_per_s"].get<double>(), 40e9, 1e6);
  // 100 us + 8 388 608 bytes at 40 GB/s
  EXPECT_NEAR(fit["at"]["time_s"].get<double>(), 309.7152e-6, 1e-9);
  SPLITBENCH_NEEDS_SCHEMAS();
  EXPECT_EQ(schema_errors(fit, "results/schema/fit.schema.json"), "");
}

TEST_F(FitCommand, PrintsAScreenOfEightyColumns) {
  const auto result = run_splitbench({"fit", file("t.tsv", table()), "--at", "1.5MB"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_NE(result.out.find("All-reduce over 2 ranks: 15 times, table"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("40 GB/s"), std::string::npos) << result.out;
  // Between 1 and 2 MiB the line breaks.
  EXPECT_NE(result.out.find("bimodal"), std::string::npos) << result.out;
}

// 64 MiB at 100 us + 67 108 864 bytes at 40 GB/s are 1.778 ms and 37.75 GB/s: 67 % of the 56.25
// GB/s of four links of 14.0625.
TEST_F(FitCommand, SaysWhetherTheBandwidthIsNormal) {
  const std::string log = file("t.tsv", table());
  const std::string topology = file("topo.txt", "\tGPU0\tGPU1\nGPU0\tX\tNV4\nGPU1\tNV4\tX\n");
  const auto known = run_splitbench({"fit", log, "--node", topology, "--gpu", "RTX A6000"});
  ASSERT_EQ(known.exit_code, 0) << known.err;
  EXPECT_NE(known.out.find("  normal?     all-reduce of 67.11 MB, bus bandwidth: 37.75 GB/s, 67 %"),
            std::string::npos)
      << known.out;
  const auto unknown = run_splitbench({"fit", log});
  EXPECT_NE(unknown.out.find("  normal?     not known: no text names two devices of one node"),
            std::string::npos)
      << unknown.out;
  // A node that is asked for is read or refused; one that a log holds besides may be of no use.
  const auto refused = run_splitbench({"fit", log, "--node", file("n.txt", "hello\n")});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("splitbench topology --format json"), std::string::npos)
      << refused.err;
}

// Three sizes as nccl-tests writes them, two as people do: what is not used is said.
TEST_F(FitCommand, SaysHowManyRowsAreLeftOutAndWhy) {
  std::string text =
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 16\n"
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
      "# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s)\n";
  for (const char* row :
       {"256 64 float sum -1 10.0 0.03 0.03", "512 128 float sum -1 10.1 0.05 0.05",
        "768 192 float sum -1 10.2 0.08 0.08", "1,024 256 float sum -1 10.3 0.1 0.1",
        "2K 512 float sum -1 10.4 0.2 0.2"}) {
    const std::string times = std::string(row).substr(std::string(row).find("-1") + 2);
    text += std::string(row) + " 0" + times + " 0\n";
  }
  const auto result = run_splitbench({"fit", file("some.log", text), "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json rows = Json::parse(result.out)["source"]["refused_rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1]["line"], 8);
  EXPECT_EQ(rows[1]["reason"], "'2K' is no size");
  const auto screen = run_splitbench({"fit", file("some.log", text)});
  EXPECT_NE(screen.out.find("note: 2 rows are left out: "), std::string::npos) << screen.out;
  EXPECT_NE(screen.out.find("some.log:7:"), std::string::npos) << screen.out;
  EXPECT_NE(screen.out.find("'1,024'"), std::string::npos) << screen.out;
}

// Six times of 10 us, give or take 1 %: their slope may be 0, and 1 over it is no bandwidth.
TEST_F(FitCommand, SaysThatTheTimeMayNotGrowInsteadOfABandwidth) {
  const std::string flat = file("flat.tsv",
                                "ranks\tmessage_bytes\tlatency_us\n2\t4194304\t10.02\n"
                                "2\t8388608\t10.08\n2\t16777216\t10.02\n2\t33554432\t10.00\n"
                                "2\t67108864\t10.01\n2\t134217728\t10.14\n");
  const auto result = run_splitbench({"fit", flat, "--at", "32MiB"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("\n    no bandwidth: the time may not grow with size here\n"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(result.out.find("B/s"), std::string::npos) << result.out;
}

TEST_F(FitCommand, RefusesWithExitTwoAndNothingPrinted) {
  const std::string good = file("t.tsv", table());
  const std::string cut = file("cut.log", "# nThread 1 nGpus 2 minBytes 8 maxBytes 8\n");
  struct Case {
    std::vector<std::string> arguments;
    std::string says;
  };
  const Case cases[] = {
      {{"fit"}, "FILE is required"},
      {{"fit", "/nonexistent"}, "/nonexistent: cannot be read"},
      {{"fit", "-"}, "standard input: there is nothing in it"},
      {{"fit", cut}, "cut.log:1:1: a header and no rows"},
      {{"fit", good, cut}, "cut.log:1:1: a header and no rows"},
      {{"fit", good, "--at", "1GB"}, "--at: 1 GB is outside of the sizes that were measured"},
      {{"fit", good, "--at", "1GB/s"}, "--at"},
      {{"fit", good, "--ranks", "1"}, "--ranks"},
      {{"fit", good, "--ranks", "4"}, "--ranks: no run of 4 ranks"},
      {{"fit", file("x.json", "{\"context\": {}, \"benchmarks\": []}")}, "Google Benchmark"},
  };
  for (const Case& c : cases) {
    const auto result = run_splitbench(c.arguments);
    EXPECT_EQ(result.exit_code, 2) << c.says;
    EXPECT_EQ(result.out, "") << c.says;
    EXPECT_NE(result.err.find(c.says), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace splitbench::test
