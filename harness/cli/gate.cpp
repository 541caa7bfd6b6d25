#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "harness/cli/exit_code.h"
#include "harness/cli/gate_screen.h"
#include "harness/cli/named_result.h"
#include "harness/cli/newest_run.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/rerun.h"
#include "harness/cli/say.h"
#include "model/invalid_input.h"
#include "results/fingerprint.h"
#include "results/gate.h"
#include "results/gate_report.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

enum class GateFormat { table, json, junit, github };

struct GateOptions {
  std::string run;  // empty: the newest
  std::string baseline;
  std::filesystem::path store;
  GateFormat format = GateFormat::table;
  bool accept = false;
  std::string author;
  std::string reason;
  bool confirm = false;
  bool allow_learning = false;
  GateRule speedup;
  GateRule time = time_rule();
};

std::string run_name(const GateOptions& options) {
  if (!options.run.empty()) return options.run;
  return newest_run(Store::open(store_file(options.store), Store::Mode::reading)).id;
}

int accept(const GateOptions& options) {
  if (options.author.empty() || options.reason.empty()) {
    throw InvalidInput("accept", "needs --by NAME and --why TEXT, which are kept with it");
  }
  if (options.format != GateFormat::table) {
    throw InvalidInput("accept", "judges nothing, so there is nothing to say in this --format");
  }
  const std::string name = run_name(options);
  if (names_file(name)) throw InvalidInput("accept", "takes the id of a stored run, not a file");
  const ResultView run = named_result(name, options.store);
  if (const std::string why = gate_refusal(run); !why.empty()) {
    say(fmt::format("splitbench: run {} is not accepted: {}\n", run.id, why));
    return kNoVerdict;
  }
  Store::open(store_file(options.store), Store::Mode::existing)
      .add_mark(run.id, {.kind = MarkKind::accepted,
                         .marked_utc = now_utc(),
                         .author = options.author,
                         .reason = options.reason});
  say(fmt::format("run {} accepted: baselines begin with it\n", run.id));
  return kDone;
}

// Of a run that ended before its result was made, all that is known.
ResultView unfinished_view(const RunRecord& run) {
  ResultView view;
  view.id = run.id;
  view.backend = run.node.backend;
  view.times_are = run.node.times_are;
  view.protocol = run.protocol.name;
  view.started_utc = run.provenance.started_utc;
  view.fingerprint = fingerprint(run.node);
  view.devices = summary(run.node);
  return view;
}

ResultView judged_run(const GateOptions& options) {
  const std::string name = run_name(options);
  if (!names_file(name)) {
    const Store store = Store::open(store_file(options.store), Store::Mode::reading);
    if (!store.load_document(name)) return unfinished_view(store.load_run(name).run);
  }
  return named_result(name, options.store);
}

NamedBaseline named_baseline(const std::string& id, const std::filesystem::path& store) {
  try {
    return {id, named_result(id, store)};
  } catch (const InvalidInput&) {
    return {id, std::nullopt};
  } catch (const StoreError& error) {
    if (error.fault() != StoreFault::no_run) throw;
    return {id, std::nullopt};
  }
}

GateRequest request_of(const GateOptions& options) {
  GateRequest request{.judged = judged_run(options),
                      .series = {},
                      .baseline = {},
                      .confirmation = {},
                      .speedup = options.speedup,
                      .time = options.time};
  const Store store = Store::open(store_file(options.store), Store::Mode::reading);
  request.series = read_series(store, request.judged.fingerprint, request.judged.protocol);
  if (!options.baseline.empty()) {
    request.baseline = named_baseline(options.baseline, options.store);
  }
  return request;
}

// Measures again at once, in a run of no series; none where a signal ended that.
std::optional<ResultView> confirming_run(const GateOptions& options, const ResultView& judged,
                                         const Interruption& interruption) {
  std::optional<ResultView> again =
      rerun({.command = judged.command, .store = store_file(options.store), .confirms = judged.id},
            interruption);
  if (again && (again->fingerprint != judged.fingerprint || again->protocol != judged.protocol)) {
    throw InvalidInput("confirm", fmt::format("run {} is of {} ({}), not of this machine",
                                              judged.id, judged.devices, judged.fingerprint));
  }
  return again;
}

void print(const Json& gate, GateFormat format) {
  switch (format) {
    case GateFormat::table:
      return print_screen(gate_screen(gate));
    case GateFormat::json:
      return fmt::print("{}\n", gate.dump(2));
    case GateFormat::junit:
      return fmt::print("{}", junit_text(gate));
    case GateFormat::github:
      return fmt::print("{}", github_text(gate));
  }
}

int exit_code(const Json& gate, const GateOptions& options) {
  const Json& outcome = gate["outcome"];
  if (outcome == name(GateOutcome::regression)) return kRequirementFailed;
  if (outcome == name(GateOutcome::pass)) return kDone;
  if (outcome == name(GateOutcome::learning) && options.allow_learning) return kDone;
  return kNoVerdict;
}

// The counts, which both rules share, by the names they have here.
void check_counts(const GateRule& rule) {
  if (rule.least_runs <= rule.most_runs) return;
  throw InvalidInput("least_runs", fmt::format("{} is more than --most-runs, {}", rule.least_runs,
                                               rule.most_runs));
}

int gate(const GateOptions& options) {
  check_counts(options.speedup);
  check(options.speedup);
  check(options.time);
  if (options.accept) return accept(options);
  GateRequest request = request_of(options);
  Json document = gate_document(request);
  if (options.confirm && has_shortfall(document)) {
    const Interruption interruption;
    request.confirmation = confirming_run(options, request.judged, interruption);
    if (!request.confirmation) {
      say("splitbench: interrupted while measuring again: nothing is confirmed, and what that run "
          "stored is in no series\n");
      return ended_by(interruption.signal());
    }
    document = gate_document(request);
  }
  print(document, options.format);
  return exit_code(document, options);
}

GateFormat gate_format(const std::string& text) {
  if (text == "table") return GateFormat::table;
  if (text == "json") return GateFormat::json;
  if (text == "junit") return GateFormat::junit;
  if (text == "github") return GateFormat::github;
  throw InvalidInput("", "'" + text + "' is unknown; expected table, json, junit or github");
}

void add_rules(CLI::App& app, GateOptions& options) {
  add_share(app, "--threshold", options.speedup.threshold,
            "How far below the baseline a speedup falls short: 0.0175");
  add_share(app, "--most-spread", options.speedup.most_spread,
            "The spread of speedups beyond which nothing can be said: 0.008");
  add_share(app, "--time-threshold", options.time.threshold, "Likewise of T_N: 0.06");
  add_share(app, "--most-time-spread", options.time.most_spread, "Likewise of T_N: 0.03");
  const auto add = [&app, &options](const char* flag, int least, std::size_t GateRule::*member,
                                    const char* help) {
    app.add_option_function<int>(
           flag,
           [&options, member](int count) {
             options.speedup.*member = static_cast<std::size_t>(count);
             options.time.*member = static_cast<std::size_t>(count);
           },
           help)
        ->type_name("COUNT")
        ->check(CLI::Range(least, 1000));
  };
  add("--most-runs", 2, &GateRule::most_runs, "Runs in the baseline, at most: 14");
  add("--least-runs", 2, &GateRule::least_runs, "Runs in the baseline, at least: 7");
}

}  // namespace

void add_gate(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "gate", "A result against those before it in the store: an exit code for CI");
  app.footer(
      "Example:\n"
      "  splitbench run --store nightly.db && splitbench gate --store nightly.db\n"
      "  splitbench gate --accept --by ann --why 'new driver' --store nightly.db");
  auto options = std::make_shared<GateOptions>();
  app.add_option("run", options->run,
                 "The id of a stored run, or a file (with a '/' or ending in .json); the newest "
                 "run otherwise")
      ->type_name("RUN")
      ->check(named("a run"));
  app.add_option("--baseline", options->baseline,
                 "The run that the baseline begins with, instead of what was accepted last")
      ->type_name("RUN");
  app.add_flag("--confirm", options->confirm,
               "Where the run falls short, measure again at once; the answer is provisional");
  app.add_flag("--allow-learning", options->allow_learning,
               "Exit 0 while there are too few runs for a baseline");
  auto* accepting = app.add_flag("--accept", options->accept,
                                 "Let baselines begin with this run instead of judging it");
  app.add_option("--by", options->author, "Who accepts it")->type_name("NAME")->needs(accepting);
  app.add_option("--why", options->reason, "Why")->type_name("TEXT")->needs(accepting);
  for (const char* flag : {"--baseline", "--by", "--why"}) {
    app.get_option(flag)->check(named("a text"))->check(utf8());
  }
  accepting->excludes("--confirm");
  add_rules(app, *options);
  add_store_file(app, options->store);
  add_parsed(app, "--format", options->format, "table|json|junit|github",
             "table for people, json for programs, JUnit XML, or annotations of GitHub Actions",
             gate_format);
  app.callback([options, &action] { action = [options] { return gate(*options); }; });
}

}  // namespace splitbench::cli
