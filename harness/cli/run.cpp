#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/program.h"
#include "harness/cli/progress.h"
#include "harness/cli/run_options.h"
#include "harness/cli/verdict_screen.h"
#include "harness/run.h"
#include "model/invalid_input.h"
#include "protocols/plan.h"
#include "results/forecast_document.h"
#include "results/new_file.h"
#include "results/result_document.h"
#include "results/store.h"
#include "results/store_path.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string step_text(const Step& step) {
  std::string text = fmt::format("point {}  {:<25}", step.point + 1, name(step.arm));
  text += step.device ? fmt::format("device {}", *step.device) : "all ranks";
  if (step.message) text += fmt::format("  {} bytes", step.message->value());
  return text;
}

int print_plan(const Protocol& protocol, Format format) {
  if (format == Format::json) {
    fmt::print("{}\n", to_json(protocol).dump(2));
    return kDone;
  }
  const Plan plan = make_plan(protocol, protocol.seed);
  fmt::print("Protocol {}: {}\n{} sessions of {} rounds after {} of warm-up, seed {}\n",
             protocol.name, protocol.purpose, plan.sessions.size(), protocol.sampling.rounds,
             protocol.sampling.warmup_rounds, protocol.seed);
  if (!plan.sessions.empty() && !plan.sessions.front().rounds.empty()) {
    fmt::print("The first round of the first session:\n");
    for (const Step& step : plan.sessions.front().rounds.front().steps) {
      fmt::print("  {}\n", step_text(step));
    }
  }
  return kDone;
}

// The worst answer over the points to what was required: 1 before 4 before 0.
class Requirements {
 public:
  void speedup(const Json& point, double least) {
    const Json interval = answer(point, "/measured/speedup/interval");
    if (interval.is_null()) return unknown();
    if (interval[1].get<double>() < least) return violated();
    if (interval[0].get<double>() < least) return unknown();
  }
  void model(const Json& point) {
    const Json verdict = answer(point, "/comparison/model_verdict");
    if (verdict == "fails") return violated();
    if (verdict != "holds") return unknown();
  }
  int code() const { return violated_ ? kRequirementFailed : unknown_ ? kNoVerdict : kDone; }

 private:
  // Null where a point has no answers of this kind: no round of it counts.
  static Json answer(const Json& point, const char* path) {
    const Json::json_pointer at(path);
    return point.contains(at) ? point.at(at) : Json(nullptr);
  }
  void violated() { violated_ = true; }
  void unknown() { unknown_ = true; }

  bool violated_ = false;
  bool unknown_ = false;
};

int judge_requirements(const Json& document, const RunOptions& options) {
  if (!options.require_speedup && !options.require_model) return kDone;
  if (const auto& made_up = document["times_are"]; made_up == "stand-in" || made_up == "virtual") {
    say(
        fmt::format("splitbench: these are times of {}, which satisfy no requirement: no gate "
                    "takes them\n",
                    made_up == "virtual" ? "a simulation" : "stand-ins"));
    return kNoVerdict;
  }
  if (document["points"].empty()) return kNoVerdict;
  Requirements requirements;
  for (const Json& point : document["points"]) {
    if (options.require_speedup) {
      requirements.speedup(point, *options.require_speedup);
    }
    if (options.require_model) requirements.model(point);
  }
  return requirements.code();
}

int exit_code(const RunEnd& end, const Json& document, const RunOptions& options) {
  if (end.signal != 0) return end.signal == SIGINT ? kInterrupted : kTerminated;
  if (!end.fault.empty()) return kFault;
  if (document["outcome"] == "void") return kNoVerdict;
  return judge_requirements(document, options);
}

void check_files(const RunOptions& options) {
  if (options.out.empty()) return;
  check_new_file(options.out);
  if (options.out == options.store) {
    throw InvalidInput("out", fmt::format("'{}' is the store, too", options.out.string()));
  }
}

Store open_store(const RunOptions& options) {
  if (!options.store.empty()) return Store::open(options.store, Store::Mode::create);
  try {
    return Store::open(default_store_path(), Store::Mode::create);
  } catch (const StoreError& error) {
    throw CannotRunHere(error.what(), "name another file with --store");
  }
}

// From the store, as any later version would: what is analysed is what was saved, and what is
// compared is the forecast that was saved before.
std::string make_document(Store& store, const RunEnd& end, Json& document) {
  const StoredRun stored = store.load_run(end.id);
  const Json forecast = stored_forecast(store, stored);
  document = result_document(stored.run, stored.sessions, stored.rounds, end.outcome, forecast);
  return document.dump(2) + "\n";
}

GivenFile read_scenario(const RunOptions& options) {
  if (options.scenario.empty()) return {};
  if (options.backend != "simulated") {
    throw InvalidInput("scenario",
                       "it says what simulated devices are like; expected --backend "
                       "simulated beside it");
  }
  return {.name = options.scenario.string(), .text = read_document(options.scenario)};
}

int run(const RunOptions& options, const std::vector<std::string>& command) {
  check_files(options);
  if (options.backend != "auto")
    known_backend(options.backend);  // before the protocol's own faults
  RunRequest request;
  request.protocol = resolve_protocol(options);
  if (options.dry_run) return print_plan(request.protocol, options.format);
  request.devices = options.devices;
  request.devices.ranks = request.protocol.ranks;
  request.devices.scenario = read_scenario(options);
  require_file_descriptors(0);
  request.choice =
      choose_backend(options.backend, {.devices = request.devices, .protocol = request.protocol});
  require_file_descriptors(request.choice.survey.needs.processes);
  if (!request.choice.note.empty()) say(fmt::format("splitbench: {}\n", request.choice.note));
  request.patience = options.patience;
  request.price_per_hour = options.price_per_hour;
  request.command = command;

  Store store = open_store(options);
  Interruption interruption;
  Progress progress(options.quiet);
  const RunEnd end = carry_out(request, store, interruption, progress);
  progress.clear();
  if (!end.fault.empty()) say(fmt::format("splitbench: {}\n", end.fault));

  Json document;
  std::string text;
  try {
    text = make_document(store, end, document);
    store.finish_run(end.id, run_outcome(document["outcome"].get<std::string>()), text);
    if (!options.out.empty()) write_new_file(options.out, text);
  } catch (const std::exception& error) {
    say(fmt::format("splitbench: the result document was not saved: {}\n", error.what()));
    return kFault;
  }
  if (options.format == Format::json) {
    fmt::print("{}", text);
  } else {
    std::vector<std::string> kept{fmt::format("run {} in {}", end.id, store.file().string())};
    if (!options.out.empty()) kept.push_back(fmt::format("document {}", options.out.string()));
    fmt::print("{}", verdict_screen(document, kept));
  }
  return exit_code(end, document, options);
}

}  // namespace

void add_run(CLI::App& program, const std::vector<std::string>& command, Action& action) {
  CLI::App& app = *program.add_subcommand("run", "Measure, predict, judge");
  app.footer(
      "Example:\n"
      "  splitbench run                          the default protocol on what is here\n"
      "  splitbench run --tokens 8 --d-model 512 --d-ff 2048 --budget 30s --out result.json");
  auto options = std::make_shared<RunOptions>();
  add_run_options(app, *options);
  app.callback([options, &command, &action] {
    action = [options, &command] { return run(*options, command); };
  });
}

}  // namespace splitbench::cli
