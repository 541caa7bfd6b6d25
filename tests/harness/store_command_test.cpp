// splitbench store, and what run and list do with the store, through the command line.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/harness/small_run.h"

namespace splitbench::test {
namespace {

class StoreCommand : public testing::Test {
 protected:
  // A run of two rounds; its id.
  std::string measure(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> options{"--sessions", "2", "--rounds", "1"};
    options.insert(options.end(), more.begin(), more.end());
    const ProcessResult result = run_splitbench(small_run(store, options));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["id"].get<std::string>();
  }
  ProcessResult command(std::vector<std::string> arguments,
                        const std::filesystem::path& file) const {
    arguments.insert(arguments.begin(), "store");
    arguments.insert(arguments.end(), {"--store", file.string()});
    return run_splitbench(arguments);
  }

  TemporaryDirectory directory;
  std::filesystem::path store = directory / "s.db";
  std::filesystem::path other = directory / "t.db";
};

TEST_F(StoreCommand, ExportsImportsAndRemovesWithoutLoss) {
  const std::string first = measure();
  const std::string second = measure();
  const ProcessResult all = command({"export"}, store);
  ASSERT_EQ(all.exit_code, 0) << all.err;
  const auto document = nlohmann::json::parse(all.out);
  EXPECT_EQ(document["schema"], "splitbench.runs/1");
  ASSERT_EQ(document["runs"].size(), 2U);
  const auto& round = document["runs"][0]["rounds"][0];
  EXPECT_EQ(round["session"], 0);
  EXPECT_GT(round["blocks"][0]["block"]["seconds"][0].get<double>(), 0.0) << "raw samples";

  const auto file = directory / "runs.json";
  std::ofstream(file) << all.out;
  EXPECT_EQ(command({"import", file.string()}, other).exit_code, 0);
  EXPECT_EQ(command({"export"}, other).out, all.out);
  const ProcessResult again = command({"import", file.string()}, other);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(again.err.find(first + " is there already"), std::string::npos) << again.err;

  EXPECT_EQ(command({"remove", first}, store).exit_code, 0);
  ASSERT_EQ(stored_runs(store).size(), 1U);
  EXPECT_EQ(stored_runs(store)[0]["id"], second);
  EXPECT_EQ(command({"remove", first}, store).exit_code, 2) << "it is gone";
  EXPECT_EQ(command({"remove"}, store).exit_code, 2) << "only by name";
  EXPECT_EQ(nlohmann::json::parse(command({"export", second}, store).out)["runs"][0],
            document["runs"][1]);
}

TEST_F(StoreCommand, RefusesWhatIsNoExportAndARunThatIsAnother) {
  const std::string run = measure();
  const auto file = directory / "runs.json";
  auto document = nlohmann::ordered_json::parse(command({"export"}, store).out);
  document["runs"][0]["run"]["notes"] = {"another"};
  std::ofstream(file) << document.dump();
  const ProcessResult changed = command({"import", file.string()}, other);
  EXPECT_EQ(changed.exit_code, 2);
  EXPECT_NE(changed.err.find("/runs/0: this is not what was exported"), std::string::npos)
      << changed.err;
  document["runs"][0].erase("checksum");
  std::ofstream(file) << document.dump();
  const ProcessResult other_run = command({"import", file.string()}, store);
  EXPECT_EQ(other_run.exit_code, 2);
  EXPECT_NE(other_run.err.find("another run " + run), std::string::npos) << other_run.err;

  std::ofstream(file) << "{}";
  EXPECT_EQ(command({"import", file.string()}, other).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(other)) << "bad input makes no store";
  EXPECT_EQ(command({"import", (directory / "none").string()}, other).exit_code, 2);
  EXPECT_EQ(command({"export", "no-such-run"}, store).exit_code, 2);
  EXPECT_EQ(command({"export", "no-such-run"}, store).out, "");
}

// The forecast was stored, and says what the document says.
TEST_F(StoreCommand, ARunKeepsItsForecast) {
  measure({"--price-per-hour", "2.5"});
  const auto run = nlohmann::json::parse(command({"export"}, store).out)["runs"][0];
  ASSERT_EQ(run["forecasts"].size(), 1U);
  const auto forecast =
      nlohmann::json::parse(run["forecasts"][0]["document"].get<std::string>())["points"][0];
  const auto point = nlohmann::json::parse(run["result"].get<std::string>())["points"][0];
  EXPECT_EQ(forecast["predicted"], point["predicted"]);
  EXPECT_EQ(forecast["parameters"], point["parameters"]);
  // 2 tokens on 2 cores at 2.50 an hour.
  EXPECT_NEAR(point["cost"]["split_per_million_tokens"]["value"].get<double>(),
              2.5 / 3600 * 2 * point["measured"]["tn_s"].get<double>() / 2 * 1e6, 1e-9);
}

// A protocol whose tolerance is 100 %: decided at the first look, after 6 of 20 sessions.
TEST_F(StoreCommand, ARunWithEarlyStoppingEndsAtALook) {
  const auto protocol = directory / "early.json";
  std::ofstream(protocol) << R"({"schema": "splitbench.protocol/1", "name": "early",
    "purpose": "P.", "operations": [{"tokens": 2, "d_model": 64, "d_ff": 128, "layers": 2}],
    "sampling": {"sessions": 20, "rounds": 1, "warmup_rounds": 1, "budget_s": 600},
    "acceptance": {"model_error": 1.0, "early_stopping": true}})";
  const ProcessResult result =
      run_splitbench({"run", protocol.string(), "--backend", "host", "--oversubscribe", "--format",
                      "json", "--store", store.string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto document = nlohmann::json::parse(result.out);
  EXPECT_EQ(document["outcome"], "complete");
  const int sessions = document["rounds"]["sessions"].get<int>();
  EXPECT_TRUE(sessions == 6 || sessions == 10 || sessions == 15 || sessions == 20) << sessions;
  const bool says_so =
      document["notes"].dump().find("as the protocol declares") != std::string::npos;
  EXPECT_EQ(says_so, sessions < 20);
}

TEST_F(StoreCommand, ListsPresetsThatAreTheProtocols) {
  EXPECT_NE(run_splitbench({"list", "presets"}).out.find("llama-3-8b"), std::string::npos);
}

TEST_F(StoreCommand, ListSaysWhatIsDamagedAndListsTheRest) {
  const std::string run = measure();
  const auto text = [&](const std::string& words) {
    std::stringstream stream;
    stream << std::ifstream(store, std::ios::binary).rdbuf();
    std::string bytes = stream.str();
    const std::size_t at = bytes.find(words);
    EXPECT_NE(at, std::string::npos);
    bytes.replace(at, words.size(), std::string(words.size(), 'x'));
    std::ofstream(store, std::ios::binary) << bytes;
  };
  const std::string second = measure();
  text("measured");
  const ProcessResult listed =
      run_splitbench({"list", "runs", "--format", "json", "--store", store.string()});
  EXPECT_EQ(listed.exit_code, 2);
  const auto document = nlohmann::json::parse(listed.out);
  EXPECT_EQ(document["runs"].size(), 1U);
  EXPECT_EQ(document["damaged"].size(), 1U);
  EXPECT_NE(listed.err.find("is damaged"), std::string::npos) << listed.err;
}

// Said before anything is measured or written, with the line that mends it.
TEST_F(StoreCommand, TooFewFileDescriptorsIsNoPlaceToRun) {
  std::string command = "ulimit -n 10; exec '" SPLITBENCH_PROGRAM "'";
  for (const std::string& argument : small_run(store)) command += " " + argument;
  const ProcessResult result = Program("/bin/sh", {"-c", command}).wait();
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_NE(result.err.find("open files, the limit here is 10\nTo mend it: ulimit -n "),
            std::string::npos)
      << result.err;
  EXPECT_FALSE(std::filesystem::exists(store));
}

}  // namespace
}  // namespace splitbench::test
