// Modules that are asked by the program's own child: whatever is wrong with one is a sentence.
#include "harness/supervisor/inquiry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "harness/module.h"
#include "tests/harness/modules/odd.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

using test::Oddity;

const std::filesystem::path kBuilt = SPLITBENCH_BUILD_DIRECTORY;
const std::filesystem::path kTestModules = SPLITBENCH_TEST_MODULES;

Survey ask_module(const std::filesystem::path& module, const DeviceRequest& devices = {},
                  double silence_s = 20) {
  return ask(module, {.devices = devices, .protocol = {}},
             {.program = SPLITBENCH_PROGRAM, .silence = Seconds(silence_s)});
}

Survey ask_odd(Oddity oddity, double silence_s = 20) {
  return ask_module(kTestModules / "libsplitbench_odd.so",
                    {.ranks = 2, .devices = {static_cast<int>(oddity)}}, silence_s);
}

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

TEST(Inquiry, BringsTheWholeAnswerOfTheHostModule) {
  Protocol protocol = load_protocol(R"({"schema": "splitbench.protocol/1", "name": "p",
    "purpose": "P.", "operations": [{"tokens": 1, "d_model": 8, "d_ff": 16, "layers": 1,
    "dtype": "fp32"}]})",
                                    "test");
  const DeviceRequest devices{.ranks = 3, .devices = {0, 0, 0}, .oversubscribe = true};
  const Survey survey =
      ask(find_module("host", module_directories(kBuilt)),
          {.devices = devices, .protocol = protocol}, {.program = SPLITBENCH_PROGRAM});
  EXPECT_EQ(survey.missing, "");
  EXPECT_EQ(survey.unsupported, "");
  EXPECT_EQ(survey.node.backend, "host");
  EXPECT_EQ(survey.node.devices.size(), 3U);
  EXPECT_EQ(survey.best_launch, Launch::direct);
  EXPECT_EQ(survey.needs.processes, 3);
  EXPECT_GT(survey.needs.shared_bytes, 3U * 8 * sizeof(float));  // a message of each rank
  ASSERT_EQ(survey.needs.environment.size(), 2U);
  EXPECT_EQ(survey.needs.environment[0], "OPENBLAS_NUM_THREADS=1");
  EXPECT_TRUE(survey.needs.environment[1].starts_with("GLIBC_TUNABLES=glibc.malloc.hugetlb=1"));

  protocol.points[0].dtype = DataType::fp16;
  expect_in(ask(find_module("host", module_directories(kBuilt)),
                {.devices = devices, .protocol = protocol}, {.program = SPLITBENCH_PROGRAM})
                .unsupported,
            "'fp16' is not available on CPU cores");
}

TEST(Inquiry, NamesWhatALibraryThatHangsWasDoing) {
  const Survey survey = ask_odd(Oddity::hangs, 0.5);
  expect_in(survey.missing, "libsplitbench_odd.so");
  expect_in(survey.missing, "said nothing for 0.5 s while libodd: counting devices");
  EXPECT_NE(survey.mend, "");
}

TEST(Inquiry, NamesTheSignalOfALibraryThatCrashes) {
  const Survey survey = ask_odd(Oddity::crashes);
  expect_in(survey.missing, fmt::format("signal {}", SIGABRT));
  expect_in(survey.missing, "while libodd: counting devices");
}

TEST(Inquiry, PassesOnWhatABackendThrows) {
  expect_in(ask_odd(Oddity::throws).missing, "libodd: error 802");
}

TEST(Inquiry, IsNotDisturbedByALibraryThatPrints) {
  const Survey survey = ask_odd(Oddity::talks);
  EXPECT_EQ(survey.missing, "");
  EXPECT_EQ(survey.needs.processes, 7);  // as the module says
}

TEST(Inquiry, AModuleOfAnotherBuildIsRefusedBeforeItIsUsed) {
  const Survey survey = ask_module(kTestModules / "libsplitbench_stale.so");
  expect_in(survey.missing, "was built as '0.0.1 of long ago'");
  expect_in(survey.mend, "build or install splitbench again");
}

TEST(Inquiry, SaysWhichLibraryAModuleLacks) {
  const Survey survey = ask_module(kTestModules / "libsplitbench_needing.so");
  expect_in(survey.missing, "libsplitbench_test_absent.so: cannot open shared object file");
  expect_in(survey.mend, "LD_LIBRARY_PATH");
}

TEST(Inquiry, SaysWhatIsNoModule) {
  expect_in(ask_module(kTestModules / "libsplitbench_foreign.so").missing, "is no module");
  expect_in(ask_module(kTestModules / "libsplitbench_nowhere.so").missing, "is not there");
  const test::TemporaryDirectory directory;
  std::ofstream(directory / "libsplitbench_prose.so") << "this is prose";
  expect_in(ask_module(directory / "libsplitbench_prose.so").missing, "cannot be loaded");
}

TEST(Inquiry, AModuleUnderTheNameOfAnotherIsRefused) {
  const test::TemporaryDirectory directory;
  const auto renamed = directory / "libsplitbench_cuda13.so";
  std::filesystem::copy_file(find_module("host", module_directories(kBuilt)), renamed);
  expect_in(ask_module(renamed).missing, "is no cuda module");
}

// A file that the loader finds and cannot use, in place of the library that a module needs.
TEST(Inquiry, SaysWhichLibraryOfAModuleIsBroken) {
  const test::TemporaryDirectory directory;
  const std::string broken = directory / "libsplitbench_test_absent.so";
  std::ofstream(broken) << "this is prose, and long enough for the header of a library: "
                        << std::string(4096, '.');
  setenv("LD_LIBRARY_PATH", directory.path().c_str(), 1);
  const Survey survey = ask_module(kTestModules / "libsplitbench_needing.so");
  unsetenv("LD_LIBRARY_PATH");
  expect_in(survey.missing, broken + ": invalid ELF header");
  expect_in(survey.mend, broken + " is broken");
  expect_in(survey.mend, "take its folder out of LD_LIBRARY_PATH");
}

TEST(Inquiry, NamesAProgramThatTalksNonsense) {
  const Survey survey = ask("libsplitbench_any.so", {}, {.program = "/bin/echo"});
  expect_in(survey.missing, "libsplitbench_any.so");
  expect_in(survey.missing, "sent nonsense");
}

}  // namespace
}  // namespace splitbench
