#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "harness/cli/check_screen.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/looking.h"
#include "harness/cli/program.h"
#include "harness/cli/progress.h"
#include "harness/cli/refusal.h"
#include "harness/cli/replay.h"
#include "harness/cli/run_keeping.h"
#include "harness/cli/run_options.h"
#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"
#include "harness/cli/utf8_text.h"
#include "harness/cli/verdict_screen.h"
#include "harness/error.h"
#include "harness/preflight/preflight.h"
#include "harness/preflight/topology.h"
#include "harness/process/child_process.h"
#include "harness/supervisor/run.h"
#include "model/invalid_input.h"
#include "protocols/catalogue.h"
#include "protocols/document.h"
#include "protocols/plan.h"
#include "results/forecast_document.h"
#include "results/normality.h"
#include "results/result_document.h"
#include "results/store.h"

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
  print_screen(wrapped("Protocol ", fmt::format("{}: {}", protocol.name, protocol.purpose), 2) +
               fmt::format("{} sessions of {} rounds after {} of warm-up, seed {}\n",
                           plan.sessions.size(), protocol.sampling.rounds,
                           protocol.sampling.warmup_rounds, protocol.seed));
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
  if (document["node"].contains("no_verdict")) {
    say(fmt::format("splitbench: {}, and satisfy no requirement\n",
                    document["node"]["no_verdict"].get<std::string>()));
    return kNoVerdict;
  }
  const TimesAre times = times_are(document["times_are"].get<std::string>());
  if (times != TimesAre::measured) {
    say(wrapped("splitbench: ",
                fmt::format("these times are {} ({}): they satisfy no requirement, and no gate "
                            "takes them",
                            name(times), description(times)),
                2));
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
  if (end.signal != 0) return ended_by(end.signal);
  if (!end.fault.empty()) return kFault;
  if (document["outcome"] == "void") return kNoVerdict;
  return judge_requirements(document, options);
}

// From the store, as any later version would: what is analysed is what was saved, and what is
// compared is the forecast that was saved before.
Json make_document(Store& store, const RunEnd& end) {
  const StoredRun stored = store.load_run(end.id);
  const Json forecast = stored_forecast(store, stored);
  return result_document(stored.run, stored.sessions, stored.rounds, end.outcome, forecast);
}

// What was measured beside what is usual of such links. Without the catalogue a run is whole, too.
void add_normal(Json& document) {
  if (document["backend"] != "cuda") return;
  try {
    const auto catalogue = load_gpu_catalogue(protocol_directories(executable_directory()));
    document["normal"] = to_json(normality_of_result(document, catalogue));
  } catch (const InvalidInput& error) {
    say(fmt::format("splitbench: {}\n", error.what()));
  } catch (const BadDocument& error) {
    say(fmt::format("splitbench: {}\n", error.what()));
  }
}

// Nothing is timed on a node that was not looked at.
void look_first(RunRequest& request, bool quiet) {
  if (!known_backend(request.choice.backend).has_checks) return;
  constexpr Seconds kLeastSilence(20);  // to start libraries, however short that of a rank may be
  Looking looking(quiet);
  const Preflight preflight =
      look_at_node({.module = request.choice.module,
                    .devices = request.devices,
                    .risks = risks_of_a_run(),
                    .silence = std::max(request.patience, kLeastSilence),
                    .doing = [&](const std::string& doing) { looking.at(doing); }});
  request.preflight = preflight.results;
  request.choice.survey.node.links = links_of(preflight.facts);
}

// A run whose checks failed: what they found, with no time in it. Nothing of it is stored.
int refuse(const RunRequest& request, const RunOptions& options, ExitCode code) {
  const Json document =
      result_document(make_record(request), {}, {}, RunOutcome::invalid, Json::object());
  show_unstored(options, document, [&](const Json& result, const std::vector<std::string>& kept) {
    return verdict_screen(result, kept) + check_screen(failures(request.preflight));
  });
  if (options.format == Format::json) say(refusal_text(request.preflight));
  return code;
}

GivenFile read_scenario(const RunOptions& options) {
  if (options.scenario.empty()) return {};
  if (options.backend != "simulated") {
    throw InvalidInput("scenario",
                       "it says what simulated devices are like; expected --backend "
                       "simulated beside it");
  }
  return {.name = as_utf8(options.scenario.string()), .text = read_document(options.scenario)};
}

int run(const RunOptions& options, const std::vector<std::string>& command) {
  if (options.parent != 0 && !end_with(options.parent)) throw HarnessError("who asked is gone");
  check_files(options);
  if (options.backend != "auto")
    known_backend(options.backend);  // before the protocol's own faults
  check_replay_options(options);
  RunRequest request;
  request.protocol = resolve_protocol(options);
  if (options.backend == "replay") {
    Replay replay = prepare_replay(options, std::move(request.protocol));
    if (options.dry_run) return print_plan(replay.protocol, options.format);
    return judge_requirements(carry_out(options, std::move(replay), command), options);
  }
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
  request.confirms = options.confirms;

  std::optional<Interruption> interruption;  // until the store is closed
  Store store = open_store(options);
  look_first(request, options.quiet);
  if (const auto code = refusal_of(request.preflight)) return refuse(request, options, *code);
  Progress progress(options.quiet);
  interruption.emplace();
  const RunEnd end = carry_out(request, store, *interruption, progress);
  progress.clear();
  if (!end.fault.empty()) say(fmt::format("splitbench: {}\n", end.fault));

  Json document;
  try {
    document = make_document(store, end);
    add_normal(document);
  } catch (const std::exception& error) {
    throw HarnessError(fmt::format("the result document was not made: {}", error.what()));
  }
  print(options, keep(options, store, document), document, verdict_screen);
  return exit_code(end, document, options);
}

}  // namespace

void add_run(CLI::App& program, const std::vector<std::string>& command, Action& action) {
  CLI::App& app = *program.add_subcommand("run", "Measure, predict, judge");
  app.footer(
      "Example:\n"
      "  splitbench run                          the default protocol on what is here\n"
      "  splitbench run --tokens 8 --d-model 512 --d-ff 2048 --budget 30s --out result.json\n"
      "  splitbench run --backend replay --mlp-table mlp.tsv --collective-table nccl.tsv");
  auto options = std::make_shared<RunOptions>();
  add_run_options(app, *options);
  app.callback([options, &command, &action] {
    action = [options, &command] { return run(*options, command); };
  });
}

}  // namespace splitbench::cli
