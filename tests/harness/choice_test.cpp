// `--backend auto` and cuda's modules, with a made-up /dev and a module that says it is cuda's.
#include "harness/supervisor/choice.h"

#include <gtest/gtest.h>

#include <fstream>

#include "model/invalid_input.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

class FakeMachine {
 public:
  FakeMachine() {
    std::filesystem::create_directory(directory_ / "dev");
    std::filesystem::create_directory(directory_ / "modules");
    good_module("host");
  }
  void device(const std::string& name) const { std::ofstream(directory_ / "dev" / name) << ""; }
  void good_module(const std::string& name) const {
    const std::filesystem::path host =
        std::filesystem::path(SPLITBENCH_BUILD_DIRECTORY) / "libsplitbench_host.so";
    const std::filesystem::path cuda =
        std::filesystem::path(SPLITBENCH_TEST_MODULES) / "libsplitbench_cuda.so";
    std::filesystem::create_symlink(name == "host" ? host : cuda, module(name));
  }
  void bad_module(const std::string& name) const { std::ofstream(module(name)) << "prose"; }
  std::filesystem::path module(const std::string& name) const {
    return directory_ / "modules" / ("libsplitbench_" + name + ".so");
  }

  Choice choose(std::string_view wanted,
                const DeviceRequest& devices = {.ranks = 2, .devices = {}, .oversubscribe = true}) {
    Surroundings here;
    here.device_directory = directory_ / "dev";
    here.module_directories = {directory_ / "modules"};
    here.inquiry.program = SPLITBENCH_PROGRAM;
    return choose_backend(wanted, {.devices = devices, .protocol = {}}, here);
  }
  // "" where there is one after all.
  std::string refusal(std::string_view wanted, const DeviceRequest& devices = {}) {
    try {
      choose(wanted, devices);
      return {};
    } catch (const CannotRunHere& error) {
      return error.what();
    }
  }

 private:
  test::TemporaryDirectory directory_;
};

void expect_in(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
}

TEST(Choice, AutoIsHostWhereNoDeviceIsVisible) {
  FakeMachine machine;
  machine.device("nvidia-uvm");  // the driver's, and no device
  const Choice choice = machine.choose("auto");
  EXPECT_EQ(choice.backend, "host");
  EXPECT_EQ(choice.module, machine.module("host"));
  EXPECT_EQ(choice.note, "");
}

TEST(Choice, AutoSaysThatItIsHostWhereTheProgramCouldDoMore) {
  FakeMachine machine;
  machine.good_module("cuda13");
  const Choice choice = machine.choose("auto");
  EXPECT_EQ(choice.backend, "host");
  expect_in(choice.note, "no NVIDIA device is visible");
}

TEST(Choice, AutoIsCudaWhereADeviceIsVisible) {
  for (const char* name : {"nvidia0", "nvidia17", "nvidiactl", "dxg"}) {
    FakeMachine machine;
    machine.device(name);
    machine.good_module("cuda13");
    EXPECT_EQ(machine.choose("auto").backend, "cuda") << name;
  }
}

TEST(Choice, AutoNeverMeasuresACpuWhereADeviceIsVisible) {
  FakeMachine machine;
  machine.device("nvidia0");
  const std::string not_built = machine.refusal("auto");
  expect_in(not_built,
            "an NVIDIA device is visible, but backend cuda: this program was built "
            "without it\nTo mend it: build it where the CUDA Toolkit (12.4 or newer)");
  expect_in(not_built, "--backend host");

  machine.bad_module("cuda13");
  expect_in(machine.refusal("auto"), "libsplitbench_cuda13.so: cannot be loaded");
  EXPECT_EQ(machine.choose("host").backend, "host");
}

TEST(Choice, ADeviceTooFewIsNoReasonToMeasureSomethingElse) {
  FakeMachine machine;
  machine.device("nvidia0");
  machine.good_module("cuda13");
  expect_in(machine.refusal("auto", {.ranks = 100'000}), "100000 ranks need 100000");
}

TEST(Choice, CudaIsItsFirstModuleThatCanBeUsed) {
  FakeMachine machine;
  machine.good_module("cuda12");
  EXPECT_EQ(machine.choose("cuda").module, machine.module("cuda12"));
  machine.bad_module("cuda13");
  EXPECT_EQ(machine.choose("cuda").module, machine.module("cuda12"));
  std::filesystem::remove(machine.module("cuda13"));
  machine.good_module("cuda13");
  EXPECT_EQ(machine.choose("cuda").module, machine.module("cuda13"));
}

TEST(Choice, WhereNoModuleCanBeUsedTheReasonsOfAllAreGiven) {
  FakeMachine machine;
  machine.bad_module("cuda13");
  machine.bad_module("cuda12");
  const std::string refusal = machine.refusal("cuda");
  expect_in(refusal, "libsplitbench_cuda13.so: cannot be loaded");
  expect_in(refusal, "libsplitbench_cuda12.so: cannot be loaded");
}

TEST(Choice, UnknownNamesAreBadInput) {
  FakeMachine machine;
  EXPECT_THROW(machine.choose("rocm"), InvalidInput);
}

}  // namespace
}  // namespace splitbench
