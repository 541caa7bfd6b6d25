// What someone does before paying: estimates, promises and advice from a seller's paste.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temporary_directory.h"

namespace splitbench::test {
namespace {

using Arguments = std::vector<std::string>;

class Node : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
    return directory_ / name;
  }

  // Two GPUs over 18 NVLinks.
  std::string topology() {
    return write("topo.txt",
                 "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
                 "GPU0\t X \tNV18\t0-63\t0\nGPU1\tNV18\t X \t0-63\t0\n");
  }
  // NCCL on 2 H100, ai-dynamo/aiconfigurator at 095f58a.
  std::string all_reduce() {
    return write("nccl.tsv",
                 "ranks\tmessage_bytes\tlatency_us\n2\t512\t6.2\n2\t32768\t7.3\n2\t131072\t7.7\n"
                 "2\t524288\t10.7\n2\t1048576\t14.7\n2\t2097152\t27.9\n2\t16777216\t75.0\n");
  }

  TemporaryDirectory directory_;
};

void expect_no_line_beyond_80(const std::string& text) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) EXPECT_LE(line.size(), 80U) << line;
}

nlohmann::json document(Arguments arguments) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const ProcessResult result = run_splitbench(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return nlohmann::json::parse(result.out);
}

TEST_F(Node, PredictSaysThatItIsAnEstimateAndWhatToMeasure) {
  const ProcessResult result = run_splitbench({"predict", "--node", topology(), all_reduce(),
                                               "--gpu", "H100 SXM", "--operation", "llama-3-8b"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.substr(0, 35), "ESTIMATE, nothing was measured here");
  EXPECT_NE(result.out.find("16 tokens: d_model 4096, d_ff 21504, 32 layers, bf16"),
            std::string::npos);
  EXPECT_NE(result.out.find("to know more, measure"), std::string::npos);
  expect_no_line_beyond_80(result.out);
}

TEST_F(Node, PredictTakesAnOperationInWordsAndWhatIsKnownAlready) {
  const auto json = document({"predict", "--node", all_reduce(), "--gpu", "h100 sxm", "--operation",
                              "tokens=1,16,d_model=4096,d_ff=8192", "--efficiency", "0.9"});
  ASSERT_EQ(json["points"].size(), 2U);
  EXPECT_EQ(json["points"][1]["operation"]["tokens"], 16);
  EXPECT_EQ(json["points"][1]["parameters"]["efficiency"]["low"], 0.9);
  EXPECT_EQ(json["times_are"], "estimated");
}

TEST_F(Node, PromiseIsJudgedAgainstAPaste) {
  const std::string promise = write("promise.json", R"({"schema": "splitbench.promise/1",
    "devices": {"count": 2}, "links": [{"kind": "gpu-link", "gpu_links": 18}]})");
  const ProcessResult kept =
      run_splitbench({"topology", "--expect", promise, "--from", topology()});
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_NE(kept.out.find("as promised"), std::string::npos);

  const std::string more = write("more.json", R"({"schema": "splitbench.promise/1",
    "devices": {"count": 2}, "links": [{"kind": "gpu-link", "bytes_per_s": 3e11}]})");
  const ProcessResult unknown =
      run_splitbench({"topology", "--expect", more, "--from", topology()});
  EXPECT_EQ(unknown.exit_code, 4);
  EXPECT_NE(unknown.out.find("UNKNOWN"), std::string::npos);
  expect_no_line_beyond_80(unknown.out);

  const std::string four =
      write("four.json", R"({"schema": "splitbench.promise/1", "devices": {"count": 4}})");
  EXPECT_EQ(run_splitbench({"topology", "--expect", four, "--from", topology()}).exit_code, 1);
}

TEST_F(Node, PromiseOfAPasteIsKeptByIt) {
  const ProcessResult made = run_splitbench({"topology", "--promise", "--from", topology()});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const std::string promise = write("made.json", made.out);
  EXPECT_EQ(run_splitbench({"topology", "--expect", promise, "--from", topology()}).exit_code, 0);
}

TEST_F(Node, AdviceFromAnEstimateSaysThatNothingWasMeasured) {
  const ProcessResult result = run_splitbench({"advise", "--node", topology(), all_reduce(),
                                               "--gpu", "H100 SXM", "--operation", "llama-3-8b"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("nothing was measured"), std::string::npos);
  expect_no_line_beyond_80(result.out);
}

TEST_F(Node, BadInputIsSaidAndExits2) {
  struct Bad {
    Arguments arguments;
    std::string says;
  };
  const std::string topo = topology();
  for (const Bad& bad : {
           Bad{{"predict", "--node", topo}, "no operation is given"},
           Bad{{"predict", "--gpu", "H100 SXM", "--operation", "tokens=1"}, "d_model or d_ff"},
           Bad{{"predict", "--gpu", "H100 SXM", "--operation", "tokens=1,d_modl=2"}, "'d_modl'"},
           Bad{{"predict", "--gpu", "H100 SXM", "--operation", "llama-3-9b"},
               "did you mean 'llama-3-8b'"},
           Bad{{"predict", "--gpu", "H101", "--operation", "llama-3-8b"}, "no GPU called 'H101'"},
           Bad{{"predict", "--gpu", "V100 SXM2 16GB", "--operation", "llama-3-8b"},
               "--operation: the catalogue has no bf16 rate of Tesla V100-SXM2-16GB; it has fp32, "
               "fp16"},
           Bad{{"predict", "--gpu", "H100 SXM", "--operation", "tokens=1,d_model=8,d_ff=9"},
               "--operation: d_ff is 9"},
           Bad{{"predict", "--node", topo, "--operation", "llama-3-8b"}, "--gpu NAME"},
           Bad{{"predict", "--node", topo, "--ranks", "4", "--gpu", "H100 SXM", "--operation",
                "llama-3-8b"},
               "--ranks: 4 ranks, and the node has 2 devices"},
           Bad{{"predict", "--node", "/nowhere", "--operation", "llama-3-8b"}, "/nowhere"},
           Bad{{"predict", "--node", topo, "--bandwidth", "1GB/s"}, "--bandwidth"},
           Bad{{"topology", "--expect", "/nowhere"}, "/nowhere"},
           Bad{{"topology", "--expect", topo}, "topo.txt:1:"},
           Bad{{"topology", "--result", topo}, "--expect"},
           Bad{{"advise"}, "advise needs"},
           Bad{{"advise", topo}, "topo.txt:1:"},
           Bad{{"advise", "20260101-000000-abcd", "--store", "/nowhere/s.db"}, "/nowhere/s.db"},
           Bad{{"advise", write("other.json", "{\"schema\": \"splitbench.fit/1\"}")},
               "at /schema: unknown name"},
           Bad{{"advise", write("cut.json", "{\"schema\": \"splitbench.result/1\"}")},
               "cut.json: it is not whole"},
       }) {
    const ProcessResult result = run_splitbench(bad.arguments);
    EXPECT_EQ(result.exit_code, 2) << bad.says;
    EXPECT_EQ(result.out, "") << bad.says;
    EXPECT_NE(result.err.find(bad.says), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace splitbench::test
