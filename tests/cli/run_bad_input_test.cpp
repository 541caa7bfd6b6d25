// Bad input to `run` and `list`: options, protocol files, stores, outputs. Exit 2, nothing on
// standard output, nothing written, and a message to act on.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

struct BadInput {
  std::vector<std::string> arguments;  // @ stands for the test's directory
  std::string says;
};

const std::vector<BadInput>& bad_inputs() {
  static const std::vector<BadInput> inputs{
      {{"run", "no-such-protocol"}, "cannot-pay"},
      {{"run", "no-such-protocol"}, "splitbench: unknown protocol"},
      {{"run", "@/fifo.json"}, "no regular file"},
      {{"run", "./missing.json"}, "missing.json"},
      {{"run", "@/empty.json"}, "empty.json:1"},
      {{"run", "@/prose.json"}, "prose.json:1"},
      {{"run", "@/unknown-key.json"}, "unknown-key.json:5"},
      {{"run", "@/wrong-type.json"}, "/ranks"},
      {{"run", "@/odd.json"}, "does not divide over 2 ranks"},
      {{"run", "@/duplicate.json"}, "duplicate.json:3"},
      {{"run", "@"}, "@"},
      {{"run", "--tokens", "0"}, "--tokens"},
      {{"run", "--tokens", "1,,2"}, "--tokens"},
      {{"run", "--tokens", "many"}, "whole number"},
      {{"run", "--d-ff", "3071"}, "does not divide over 2 ranks"},
      {{"run", "--d-model", "-1"}, "--d-model"},
      {{"run", "--d-model", "99999999999999999999"}, "--d-model"},
      {{"run", "--layers", "0"}, "--layers"},
      {{"run", "--dtype", "fp8"}, "fp32, tf32, fp16 or bf16"},
      {{"run", "--dtype", "fp16"}, "not available on CPU cores"},
      {{"run", "--cache", "cold"}, "hot or flushed"},
      {{"run", "--ranks", "1"}, "one device splits nothing"},
      {{"run", "--ranks", "5"}, "does not divide over 5 ranks"},
      {{"run", "--ranks", "3", "--devices", "0,1"}, "--devices names 2"},
      {{"run", "--devices", "a"}, "--devices"},
      {{"run", "--backend", "host", "--devices", "0,0"}, "--devices: device 0 is named twice"},
      {{"run", "--backend", "cuda", "--devices", "1,0,1"}, "--devices: device 1 is named twice"},
      {{"run", "--backend", "rocm"}, "auto, cuda, host, simulated or replay"},
      {{"run", "--budget", "60"}, "expected a time"},
      {{"run", "--budget", "-1s"}, "/sampling/budget_s: expected a number"},
      {{"run", "--sessions", "0"}, "--sessions"},
      {{"run", "--rounds", "1.5"}, "--rounds"},
      {{"run", "--seed", "-4"}, "--seed"},
      {{"run", "--seed", "18446744073709551615"}, "at most 9223372036854775807"},
      {{"run", "--seed", "1,2"}, "one value"},
      {{"run", "--out", ""}, "--out"},
      {{"run", "--store", ""}, "--store"},
      {{"run", "--out", "@/new", "--store", "@/new"}, "is the store, too"},
      {{"run", "--deadline", "1ns"}, "at least 100ms"},
      {{"run", "--require-speedup", "-1"}, "above 0"},
      {{"run", "@/control.json"}, "control characters"},
      {{"run", "--ranks", "2,4"}, "one value"},
      {{"run", "--layers", "200000", "--d-model", "2", "--d-ff", "2"}, "layers"},
      {{"run", "--dry-run", "--backend", "rocm"}, "auto, cuda, host, simulated or replay"},
      {{"run", "--deadline", "5"}, "expected a time"},
      {{"run", "--require-speedup", "fast"}, "plain number"},
      {{"run", "--format", "yaml"}, "table or json"},
      {{"run", "--out", "@/taken.json"}, "taken.json"},
      {{"run", "--out", "@/no/such/folder/r.json"}, "no/such/folder"},
      {{"run", "--store", "@/prose.json"}, "prose.json"},
      {{"run", "--store", "@/taken.json/s.db"}, "taken.json"},
      {{"run", "--launcher"}, "--launcher"},
      {{"list"}, "what"},
      {{"list", "gpus"}, "gpus"},
      {{"list", "runs", "--store", "@/nowhere.db"}, "nowhere.db"},
      {{"list", "runs", "--store", "@/prose.json"}, "prose.json"},
  };
  return inputs;
}

constexpr const char* kGood = R"({"schema": "splitbench.protocol/1", "name": "p", "purpose": "P.")";

void write_files(const TemporaryDirectory& directory) {
  const auto file = [&](const char* name, const std::string& text) {
    std::ofstream(directory / name) << text;
  };
  const std::string operations =
      R"("operations": [{"tokens": 1, "d_model": 8, "d_ff": 16, "layers": 1, "dtype": "fp32"}])";
  file("empty.json", "");
  file("prose.json", "this is no protocol, and no store either");
  file("unknown-key.json", std::string(kGood) + ",\n\n" + operations + ",\n\n\"session\": 6}\n");
  file("wrong-type.json", std::string(kGood) + ",\n\"ranks\": \"two\",\n" + operations + "}\n");
  file("odd.json", std::string(kGood) +
                       ",\n\"operations\": [{\"tokens\": 1, \"d_model\": 8, \"d_ff\": 15, "
                       "\"layers\": 1, \"dtype\": \"fp32\"}]}\n");
  file("duplicate.json",
       std::string(kGood) + ",\n\"ranks\": 2,\n\"ranks\": 2,\n" + operations + "}\n");
  file("control.json",
       R"({"schema": "splitbench.protocol/1", "name": "p", "purpose": "\u001b[2J", )" + operations +
           "}\n");
  file("taken.json", "mine\n");
  mkfifo((directory / "fifo.json").c_str(), 0600);
}

TEST(RunBadInput, EachIsAnsweredWithExitTwoAndAMessage) {
  const TemporaryDirectory directory;
  write_files(directory);
  const auto count_files = [&] {
    return std::distance(std::filesystem::directory_iterator(directory.path()), {});
  };
  const auto files_before = count_files();
  for (const BadInput& bad : bad_inputs()) {
    std::vector<std::string> arguments = bad.arguments;
    std::string says = bad.says;
    for (std::string* text : [&] {
           std::vector<std::string*> all{&says};
           for (std::string& argument : arguments) all.push_back(&argument);
           return all;
         }()) {
      if (const auto at = text->find('@'); at != std::string::npos) {
        text->replace(at, 1, directory.path().string());
      }
    }
    std::string shown;
    for (const std::string& argument : arguments) shown += " " + argument;
    // No device of this machine decides.
    if (arguments[0] == "run" && arguments.size() > 1) {
      arguments.insert(arguments.begin() + 1, {"--quiet"});
      if (shown.find("--backend") == std::string::npos) {
        arguments.insert(arguments.begin() + 1, {"--backend", "host"});
      }
    }
    const ProcessResult result = run_splitbench(arguments);
    EXPECT_EQ(result.exit_code, 2) << shown << "\n" << result.err;
    EXPECT_EQ(result.out, "") << shown;
    EXPECT_NE(result.err.find(says), std::string::npos) << shown << "\n" << result.err;
  }
  EXPECT_EQ(count_files(), files_before) << "something was written";
}

}  // namespace
}  // namespace splitbench::test
