// The child's side of preflight.h.
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "harness/backends/cuda/surroundings.h"
#include "harness/module.h"
#include "harness/preflight/preflight.h"
#include "harness/process/asked_child.h"
#include "harness/rank/rank_process.h"
#include "harness/rank/shared_region.h"
#include "harness/survey_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

class TellingExaminer final : public Examiner {
 public:
  explicit TellingExaminer(const Questioner& questioner) : questioner_(questioner) {}

  void looks(std::string_view check, const std::string& doing) override {
    at_ = check;
    questioner_.say({{"check", check}, {"doing", doing}});
  }
  void found(CheckResult result) override { questioner_.say({{"found", to_json(result)}}); }
  void learned(std::string_view key, Json fact) override {
    questioner_.say({{"learned", key}, {"fact", std::move(fact)}});
  }
  const std::string& at() const { return at_; }

 private:
  const Questioner& questioner_;
  std::string at_;
};

// What went wrong, and the line that mends it.
std::pair<std::string, std::string> apart(const std::string& message) {
  constexpr std::string_view kBetween = "\nTo mend it: ";
  const std::size_t cut = message.find(kBetween);
  if (cut == std::string::npos) return {message, "look at 'nvidia-smi' and the kernel log"};
  return {message.substr(0, cut), message.substr(cut + kBetween.size())};
}

void examine(const Json& question, Examiner& examiner) {
  const auto risk = find_in(risks(), question.at("risk").get<std::string>()).value();
  const DeviceRequest devices = device_request_from_json(question.at("devices"));
  if (risk == Risk::surroundings) return cuda::examine_surroundings({}, examiner);
  if (risk == Risk::management) return cuda::examine_management(examiner);

  const std::filesystem::path module = question.at("module").get<std::string>();
  if (module.empty()) {
    examiner.looks(risk == Risk::runtime ? "module" : "", "looking for a module");
    throw CannotRunHere("this program was built without the cuda backend",
                        "build it where the CUDA Toolkit (12.4 or newer) and NCCL are installed");
  }
  examiner.looks(risk == Risk::runtime ? "module" : "", "loading " + module.filename().string());
  const Backend& backend = load_module(module);
  std::optional<SharedRegion> region;
  if (risk == Risk::collective || risk == Risk::staged) {
    region.emplace(SharedRegion::attach(kRegionFd));
  }
  backend.examine(risk,
                  {.rank = question.at("rank").get<int>(),
                   .request = devices,
                   .shared = region ? &*region : nullptr,
                   .patience = Seconds(question.at("patience_s").get<double>())},
                  examiner);
}

}  // namespace

int run_examination_process(pid_t parent) {
  const Questioner questioner(parent);
  TellingExaminer examiner(questioner);
  std::string reason;
  try {
    examine(questioner.question(), examiner);
  } catch (const CannotRunHere& error) {
    reason = error.reason();
    if (!examiner.at().empty()) examiner.found(failed(examiner.at(), reason, error.mend()));
  } catch (const std::exception& error) {
    const auto [what, mend] = apart(error.what());
    reason = what;
    if (!examiner.at().empty()) examiner.found(faulty(examiner.at(), what, mend));
  }
  questioner.say({{"end", reason}});
  std::_Exit(0);  // nothing of a library is let go: that can hang, and all is said
}

}  // namespace splitbench
