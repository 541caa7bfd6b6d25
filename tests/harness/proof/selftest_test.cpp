// splitbench-selftest as its users run it, with few seeds.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/schema.h"

namespace splitbench::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class Selftest : public ::testing::Test {
 protected:
  Selftest() : folder_(fs::temp_directory_path() / ("selftest-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~Selftest() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name) const { return folder_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  static ProcessResult run(const std::vector<std::string>& arguments) {
    return Program(SPLITBENCH_SELFTEST, arguments).wait();
  }
  static Json read(const fs::path& file) { return Json::parse(std::ifstream(file)); }
  static std::string text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  fs::path folder_;
};

// Everything, small: no claim may be missed, every study has rows, and each of its claims a figure.
TEST_F(Selftest, OfTheEstimatorsMissesNothing) {
  const ProcessResult result = run({"--seeds", SPLITBENCH_PROOF_SEEDS, "--quiet", "--format",
                                    "json", "--out", file("all.json").string()});
  ASSERT_EQ(result.exit_code, 0) << result.out.substr(0, 4000) << result.err;
  const Json document = Json::parse(result.out);
  EXPECT_EQ(document, read(file("all.json")));
  EXPECT_EQ(document["schema"], "splitbench.proof/1");
  EXPECT_EQ(document["claims"]["missed"], 0);
  EXPECT_GT(document["claims"]["met"], 0);
  EXPECT_GE(document["studies"].size(), 12U);
  for (const Json& study : document["studies"]) {
    EXPECT_EQ(study["rows"].empty(), study["name"] == "public tables") << study["name"];
  }
  EXPECT_GT(document["run"]["cost"]["simulated_sessions_per_s"], 0.0);
  EXPECT_TRUE(fs::exists(file("all.md")));
}

TEST_F(Selftest, KeepsToItsSchema) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const ProcessResult result =
      run({"--seeds", "20", "--studies", "naive,bias,prediction,sizes,tables", "--quiet", "--out",
           file("some.json").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(schema_errors(read(file("some.json")), "results/schema/proof.schema.json"), "");
}

TEST_F(Selftest, SaysTheSameTwice) {
  for (const char* name : {"a.json", "b.json"}) {
    const ProcessResult result = run(
        {"--seeds", "20", "--studies", "naive,intervals", "--quiet", "--out", file(name).string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  Json first = read(file("a.json"));
  Json second = read(file("b.json"));
  first.erase("run");
  second.erase("run");
  EXPECT_EQ(first.dump(), second.dump());
}

TEST_F(Selftest, OtherSeedsSayOtherThings) {
  for (const char* seed : {"1", "2"}) {
    const ProcessResult result = run({"--seeds", "20", "--studies", "prediction", "--quiet",
                                      "--seed", seed, "--out", file(seed).string()});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_NE(read(file("1"))["studies"], read(file("2"))["studies"]);
}

TEST_F(Selftest, WithoutTablesSaysThatTheirPartWasNotRun) {
  const ProcessResult result =
      run({"--studies", "tables", "--quiet", "--out", file("none.json").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("**Not run**: no folder of tables"), std::string::npos) << result.out;
  const Json study = read(file("none.json"))["studies"][0];
  EXPECT_TRUE(study["rows"].empty());
  EXPECT_TRUE(study["claims"].empty());
}

TEST_F(Selftest, OfPublicTablesMissesNothing) {
  const fs::path tables = fs::path(SPLITBENCH_CORPUS) / "gpu-tables";
  if (!fs::is_directory(tables)) GTEST_SKIP() << "there are no tables in " << tables;
  const ProcessResult result = run({"--studies", "tables", "--tables", tables.string(), "--quiet",
                                    "--out", file("tables.json").string()});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  const Json document = read(file("tables.json"));
  EXPECT_GE(document["claims"]["met"], 24) << "4 of each of 6 pairs";
  EXPECT_EQ(document["claims"]["missed"], 0);
}

TEST_F(Selftest, AFolderWithoutTablesIsRefusedBeforeAnythingRuns) {
  const ProcessResult result =
      run({"--tables", file(".").string(), "--out", file("never.json").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("expected mlp-GPU.tsv"), std::string::npos) << result.err;
  EXPECT_EQ(files(), 0U);
}

TEST_F(Selftest, DrawsWhatItRanAndTheSameFromTheDocument) {
  const ProcessResult ran = run({"--seeds", "20", "--studies", "power", "--out",
                                 file("power.json").string(), "--pictures", file("ran").string()});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("drawn: " + file("ran/power.svg").string()), std::string::npos);
  EXPECT_NE(ran.err.find("coverage.svg, the document has no study 'coverage'"), std::string::npos)
      << ran.err;
  const ProcessResult again =
      run({"--from", file("power.json").string(), "--pictures", file("again").string()});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, "");
  EXPECT_EQ(text(file("again/power.svg")), text(file("ran/power.svg")));
  EXPECT_NE(text(file("again/power.svg")).find("20 seeds (seed 1)"), std::string::npos);
}

TEST_F(Selftest, DrawsNothingOfWhatIsNoDocumentOfItsOwn) {
  std::ofstream(file("broken.json")) << "{\n  \"schema\": ";
  std::ofstream(file("other.json")) << R"({"schema": "splitbench.result/1"})";
  std::ofstream(file("bare.json")) << R"({"schema": "splitbench.proof/1"})";
  const auto refusal = [this](const std::string& name, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--from", file(name).string(), "--pictures",
                                       file("pictures").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << name;
    return result.err;
  };
  EXPECT_NE(refusal("broken.json").find("broken.json:2:"), std::string::npos);
  EXPECT_NE(refusal("other.json").find("expected splitbench.proof/1"), std::string::npos);
  EXPECT_NE(refusal("bare.json").find("cannot be drawn"), std::string::npos);
  EXPECT_NE(refusal("missing.json").find("missing.json"), std::string::npos);
  EXPECT_NE(refusal("bare.json", {"--seeds", "20"}).find("--seeds"), std::string::npos);
  EXPECT_EQ(run({"--from", file("bare.json").string()}).exit_code, 2) << "into which folder?";
}

// The proof can fail: with shards 3 % too fast predictions are off by 2.4 %, ten times what is
// allowed, and T_N that is 3 % above them seems 5 % above.
TEST_F(Selftest, FindsAPredictionThatIsOff) {
  const ProcessResult result = run({"--seeds", "40", "--studies", "bias,verdicts", "--sabotage",
                                    "biased", "--quiet", "--out", file("biased.json").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_GE(read(file("biased.json"))["claims"]["missed"], 8);
  EXPECT_NE(result.out.find("**missed**: bias on 8 ranks"), std::string::npos) << result.out;
}

// Intervals of 60 % where 90 % are asked for say HOLDS in 20 % of the cases in which 6 % are
// allowed.
TEST_F(Selftest, FindsIntervalsThatAreTooNarrow) {
  const ProcessResult result = run({"--seeds", "120", "--studies", "verdicts", "--sabotage",
                                    "narrow", "--quiet", "--out", file("narrow.json").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.out.find("**missed**: false HOLDS"), std::string::npos) << result.out;
}

TEST_F(Selftest, InterruptedLeavesNothing) {
  Program program(SPLITBENCH_SELFTEST,
                  {"--seeds", "100000", "--quiet", "--out", file("never.json").string()});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.signal(SIGINT);
  const ProcessResult result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.err.find("nothing was written"), std::string::npos) << result.err;
  EXPECT_EQ(files(), 0U);
}

TEST_F(Selftest, NeverOverwrites) {
  std::ofstream(file("taken.json")) << "mine";
  const ProcessResult result = run({"--seeds", "20", "--out", file("taken.json").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("taken.json"), std::string::npos) << result.err;
}

TEST_F(Selftest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(run({"--seeds", "many"}).exit_code, 2);
  EXPECT_EQ(run({"--studies", "everything"}).exit_code, 2);
  EXPECT_EQ(run({"--sabotage", "subtle"}).exit_code, 2);
}

}  // namespace
}  // namespace splitbench::test
