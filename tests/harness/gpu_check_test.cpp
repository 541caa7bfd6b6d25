// scripts/gpu-check on stand-in devices: it runs through, its document says what it stood on, and
// nothing there is called a GPU's.
#include <iterator>

#include "tests/harness/doctor_run.h"

namespace splitbench::test {
namespace {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(GpuCheck, WritesOneDocumentThatSaysStandIn) {
  const OnStandIns here(nlohmann::json{{"devices", 2}});
  const auto evidence = here.path("evidence.md");
  const ProcessResult result = Program(SPLITBENCH_STANDIN_LAUNCHER,
                                       {SPLITBENCH_SOURCE_DIR "/scripts/gpu-check", "--program",
                                        SPLITBENCH_PROGRAM, "--quick", "--out", evidence.string()})
                                   .wait();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  const std::string text = text_of(evidence);
  EXPECT_EQ(text.substr(0, text.find('\n')), "# Evidence: stand-in devices");
  for (const char* part : {"## doctor", "## topology", "## run graph", "## run eager"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is missing in\n" << text;
  }
  EXPECT_EQ(text.find("# Evidence: GPU"), std::string::npos);
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
