// scripts/gpu-check on stand-in devices: it runs through, its document says what it stood on, and
// nothing there is called a GPU's.
#include <unistd.h>

#include <iterator>
#include <regex>

#include "tests/harness/doctor_run.h"

namespace splitbench::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The document of a quick check, which must end well.
std::string evidence_of(const OnStandIns& here) {
  const auto evidence = here.path("evidence.md");
  const ProcessResult result = Program(SPLITBENCH_STANDIN_LAUNCHER,
                                       {SPLITBENCH_SOURCE_DIR "/scripts/gpu-check", "--program",
                                        SPLITBENCH_PROGRAM, "--quick", "--out", evidence.string()})
                                   .wait();
  const std::string text = text_of(evidence);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err << text;
  EXPECT_EQ(text.substr(0, text.find('\n')), "# Evidence: stand-in devices");
  EXPECT_EQ(text.find("# Evidence: GPU"), std::string::npos);
  return text;
}

void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  }
}

// The first algorithm that the stand-ins propose without partial sums in the output's type
// takes 1.25 times the stated cost, and the one that a run chooses by timing takes 1.0 times
// (tests/standin/cublaslt/algorithm.cpp).
void expect_rates(const std::string& text) {
  if (access((std::filesystem::path(SPLITBENCH_PROGRAM).parent_path() / "splitbench-kernels-bench")
                 .c_str(),
             X_OK) != 0) {
    return expect_parts(text, {"Left out: splitbench-kernels-bench was not built"});
  }
  std::smatch found;
  ASSERT_TRUE(std::regex_search(
      text, found, std::regex("\n16 x 64 x 256 \\S+ +([0-9.e+-]+) +([0-9.e+-]+) +([0-9.]+)\n")))
      << text;
  EXPECT_GT(std::stod(found[1]), 0.0);
  EXPECT_NEAR(std::stod(found[1]) / std::stod(found[2]), std::stod(found[3]), 0.001);
  EXPECT_NEAR(std::stod(found[3]), 1.25, 0.01);
}

TEST(GpuCheck, WritesOneDocumentThatSaysStandIn) {
  const OnStandIns here(nlohmann::json{{"devices", 2}});
  const std::string text = evidence_of(here);
  expect_parts(text, {"## doctor", "## topology", "## run graph\n", "## run eager\n"});
  expect_rates(text);
  EXPECT_EQ(text.find("ranks share"), std::string::npos) << text;
}

TEST(GpuCheck, ChecksResultsOnOneDeviceAndSaysWhatItCannotCheck) {
  const OnStandIns here(nlohmann::json{{"devices", 1}});
  const std::string text = evidence_of(here);
  expect_parts(text,
               {"One device is visible, and two ranks share it", "## doctor",
                "## numerics: the exact example", "## topology\n\nLeft out: there is one device",
                "## run graph, two ranks on one device", "## run eager, two ranks on one device",
                "ranks share a GPU (--oversubscribe)"});
  expect_rates(text);
}

TEST(GpuCheck, NeverWritesOverADocument) {
  const OnStandIns here(nlohmann::json{{"devices", 2}});
  std::ofstream(here.path("evidence.md")) << "kept";
  const ProcessResult result =
      Program(SPLITBENCH_STANDIN_LAUNCHER,
              {SPLITBENCH_SOURCE_DIR "/scripts/gpu-check", "--program", SPLITBENCH_PROGRAM, "--out",
               here.path("evidence.md").string()})
          .wait();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(text_of(here.path("evidence.md")), "kept");
}

}  // namespace
}  // namespace splitbench::test
