// A module whose backend does what the first device asked for says; for tests of who asks it.
#include <csignal>
#include <cstdio>
#include <thread>

#include "harness/module_entry.h"
#include "harness/version.h"
#include "tests/harness/modules/odd.h"

namespace {

class OddBackend final : public splitbench::Backend {
 public:
  splitbench::Survey survey(const splitbench::SurveyRequest& request,
                            const splitbench::Doing& doing) const override {
    doing("libodd: counting devices");
    misbehave(request.devices);
    splitbench::Survey survey;
    survey.needs.processes = 7;
    return survey;
  }
  void examine(splitbench::Risk, const splitbench::RankSeat& seat,
               splitbench::Examiner& examiner) const override {
    examiner.found(splitbench::passed("module", "loaded"));
    examiner.looks("first-kernel", "libodd: a first kernel");
    misbehave(seat.request);
    examiner.found(splitbench::passed("first-kernel", "ran"));
  }
  std::unique_ptr<splitbench::Node> open(const splitbench::RankSeat&) const override {
    throw splitbench::HarnessError("there is nothing to open");
  }

 private:
  static void misbehave(const splitbench::DeviceRequest& request) {
    using splitbench::test::Oddity;
    switch (static_cast<Oddity>(request.devices.at(0))) {
      case Oddity::hangs:
        std::this_thread::sleep_for(std::chrono::hours(1));
        break;
      case Oddity::crashes:
        std::raise(SIGABRT);  // sanitizers leave it alone
        break;
      case Oddity::talks:
        std::puts("libodd greets the world");
        std::fflush(stdout);
        break;
      case Oddity::throws:
        throw splitbench::HarnessError("libodd: error 802");
    }
  }
};

const splitbench::Backend* backend() {
  static const OddBackend odd;
  return &odd;
}

}  // namespace

const splitbench::ModuleEntry* splitbench_module() {
  static const splitbench::ModuleEntry entry{
      .build = splitbench::build(), .name = "odd", .backend = &backend};
  return &entry;
}
