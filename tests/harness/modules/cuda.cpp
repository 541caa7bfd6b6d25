// A module that says it is cuda's, with two devices and nothing behind them: for tests of who
// chooses it.
#include <string>

#include "harness/module_entry.h"
#include "harness/version.h"

namespace {

class TwoDevices final : public splitbench::Backend {
 public:
  splitbench::Survey survey(const splitbench::SurveyRequest& request,
                            const splitbench::Doing&) const override {
    splitbench::Survey survey;
    if (request.devices.ranks > 2) {
      const std::string ranks = std::to_string(request.devices.ranks);
      survey.missing = ranks + " ranks need " + ranks + " devices; 2 are visible";
      survey.mend = "use --ranks 2";
    }
    return survey;
  }
  std::unique_ptr<splitbench::Node> open(const splitbench::RankSeat&) const override {
    throw splitbench::HarnessError("there is nothing to open");
  }
};

const splitbench::Backend* backend() {
  static const TwoDevices devices;
  return &devices;
}

}  // namespace

const splitbench::ModuleEntry* splitbench_module() {
  static const splitbench::ModuleEntry entry{
      .build = splitbench::build(), .name = "cuda", .backend = &backend};
  return &entry;
}
