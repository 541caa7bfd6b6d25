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
    using splitbench::test::Oddity;
    doing("libodd: counting devices");
    switch (static_cast<Oddity>(request.devices.devices.at(0))) {
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
    splitbench::Survey survey;
    survey.needs.processes = 7;
    return survey;
  }
  std::unique_ptr<splitbench::Node> open(const splitbench::RankSeat&) const override {
    throw splitbench::HarnessError("there is nothing to open");
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
