#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/check_screen.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/looking.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/refusal.h"
#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"
#include "harness/preflight/preflight.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  Format format = Format::table;
  bool quiet = false;
  Seconds deadline{7};
  DeviceRequest devices{.ranks = 0, .devices = {}, .oversubscribe = false};  // 0: all
};

// What libraries that answer take, beside one that hangs. An unkillable child takes 2 s more.
constexpr Seconds kForOthers(1);

PreflightPlan plan_of(const DoctorOptions& options) {
  PreflightPlan plan;
  plan.devices = options.devices;
  plan.devices.ranks = static_cast<int>(options.devices.devices.size());
  plan.risks = risks_of_a_run();
  plan.risks.push_back(Risk::staged);
  plan.silence = options.deadline;
  plan.whole = options.deadline + kForOthers;
  return plan;
}

// What was not looked at weighs where nobody can vouch for a node without it.
bool lacks_essentials(const std::vector<CheckResult>& results) {
  return std::any_of(results.begin(), results.end(), [](const CheckResult& result) {
    return result.status == CheckStatus::unknown && known_check(result.check).essential;
  });
}

int exit_code(const std::vector<CheckResult>& results) {
  if (const auto refusal = refusal_of(results)) return *refusal;
  return lacks_essentials(results) ? kNoVerdict : kDone;
}

std::string verdict(int code) {
  switch (code) {
    case kFault:
      return "A run here would be refused: bytes, a device or a library cannot be trusted.";
    case kCannotRunHere:
      return "A run here would be refused: this environment cannot do it.";
    case kNoVerdict:
      return "Not refused, but what could not be looked at may hide a fault.";
    default:
      return "Nothing here keeps a run from being trusted.";
  }
}

// Nothing where no library came so far.
std::string start_up(const Json& seconds) {
  std::string text;
  for (const auto& [key, library] : {std::pair("cuda", "CUDA"), std::pair("nccl", "NCCL")}) {
    if (seconds[key].is_null()) continue;
    text +=
        fmt::format("{}{} {:.1f} s", text.empty() ? "" : ", ", library, seconds[key].get<double>());
  }
  return text.empty() ? "" : fmt::format("Start-up, not in any time: {}\n", text);
}

std::string summary(const Preflight& preflight, int code) {
  std::array<int, 4> counts{};
  for (const CheckResult& result : preflight.results) {
    ++counts.at(static_cast<std::size_t>(result.status));
  }
  std::string text = fmt::format("\n{}\n{} PASS, {} WARN, {} FAIL, {} UNKNOWN (never a pass)\n",
                                 verdict(code), counts[0], counts[1], counts[2], counts[3]);
  text += start_up(start_up_of(preflight.facts));
  if (preflight.facts["runtime"].value("stand_in", false)) {
    text += "stand-in: CPU libraries in the vendor's place; this says nothing of a GPU\n";
  }
  return text;
}

const CheckResult& result_of(const std::vector<CheckResult>& results, std::string_view check) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [check](const auto& result) { return result.check == check; });
  return results.at(static_cast<std::size_t>(found - results.begin()));
}

// Where nothing can be asked for want of a driver, the rest follows from it.
std::string in_brief(const CheckResult& driver) {
  return wrapped("No GPU can be used here: ", driver.seen, 2) +
         wrapped("To mend it: ", driver.mend, 2) +
         "CPU cores can be measured without: splitbench run --backend host\n";
}

const CheckResult& first_failure(const Preflight& preflight) {
  const CheckResult& module = result_of(preflight.results, "module");
  return module.status == CheckStatus::fail ? module
                                            : result_of(preflight.results, "driver-version");
}

// The driver or its module fails, no source of three knows of a device, and nothing hangs.
bool no_device_at_all(const Preflight& preflight) {
  const auto knows = [&](const char* risk, const char* fact) {
    return preflight.facts[risk].contains(fact);
  };
  return first_failure(preflight).status == CheckStatus::fail &&
         !knows("surroundings", "device_files") && !knows("management", "device_count") &&
         !knows("runtime", "visible_devices") &&
         std::none_of(preflight.results.begin(), preflight.results.end(),
                      [](const CheckResult& result) { return result.fault; });
}

int doctor(const DoctorOptions& options) {
  const Preflight preflight = look_at_gpus(plan_of(options), options.quiet);
  const int code = exit_code(preflight.results);
  if (options.format == Format::json) {
    const Json document{{"schema", "splitbench.doctor/1"},
                        {"checks", to_json(preflight.results)},
                        {"start_up_s", start_up_of(preflight.facts)},
                        {"facts", preflight.facts}};
    fmt::print("{}\n", document.dump(2));
  } else if (no_device_at_all(preflight)) {
    print_screen(in_brief(first_failure(preflight)));
  } else {
    print_screen(check_screen(preflight.results) + summary(preflight, code));
  }
  return code;
}

}  // namespace

void add_doctor(CLI::App& program, Action& action) {
  CLI::App& app =
      *program.add_subcommand("doctor", "What would keep a run from being trusted here");
  app.footer("Example:\n  splitbench doctor --devices 0,1");
  auto options = std::make_shared<DoctorOptions>();
  add_format(app, options->format);
  app.add_flag("--quiet", options->quiet, "No progress");
  add_deadline(app, options->deadline, "The longest silence of a library, 7 s; all ends 1 s later");
  add_devices(app, options->devices.devices);
  app.add_flag("--oversubscribe", options->devices.oversubscribe,
               "As for a run whose ranks share the devices named more than once");
  app.callback([options, &action] { action = [options] { return doctor(*options); }; });
}

}  // namespace splitbench::cli
