#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/named_result.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "model/invalid_input.h"
#include "protocols/input_file.h"
#include "results/result_view.h"
#include "results/run_archive.h"
#include "results/store.h"

namespace splitbench::cli {
namespace {

struct StoreOptions {
  std::filesystem::path store;
  std::vector<std::string> runs;
  std::vector<std::filesystem::path> files;

  std::filesystem::path file() const { return store_file(store); }
};

std::vector<std::string> each_once(std::vector<std::string> ids) {
  std::vector<std::string> once;
  for (std::string& id : ids) {
    if (std::find(once.begin(), once.end(), id) == once.end()) once.push_back(std::move(id));
  }
  return once;
}

// One run a line and never more than one in memory: a store may be large.
int export_runs(const StoreOptions& options) {
  const Store store = Store::open(options.file(), Store::Mode::reading);
  std::vector<std::string> ids = options.runs;
  if (ids.empty()) {
    const RunList list = store.list_runs();
    if (!list.damaged.empty()) {
      throw InvalidInput("",
                         list.damaged.front() + "; name the runs to export those that can be read");
    }
    for (const RunSummary& run : list.runs) ids.push_back(run.id);
  }
  ids = each_once(std::move(ids));
  for (const std::string& id : ids) store.load_run(id);  // before anything is written
  fmt::print("{{\"schema\":\"{}\",\"runs\":[", kRunsSchema);
  const char* separator = "\n";
  for (const std::string& id : ids) {
    fmt::print("{}{}", separator, to_json(store.load_run(id)).dump());
    separator = ",\n";
  }
  fmt::print("\n]}}\n");
  return kDone;
}

// But for its marks, which may be made later in either store.
nlohmann::ordered_json as_measured(StoredRun run) {
  run.marks.clear();
  return to_json(run);
}

// The run is stored already, and is the same; throws where another one has its name.
bool is_stored(const Store& store, const StoredRun& run) {
  try {
    if (as_measured(store.load_run(run.run.id)) == as_measured(run)) return true;
  } catch (const StoreError& error) {
    if (error.fault() == StoreFault::no_run) return false;
    throw;
  }
  throw StoreError(StoreFault::duplicate, store.file(),
                   fmt::format("another run {} is stored already", run.run.id));
}

// A result that gate, compare and history could not read is refused before it is in a series.
void check_result(const StoredRun& run, const std::string& place) {
  if (!run.document || run.outcome != RunOutcome::complete) return;
  const ResultView view = result_view(*run.document, place + "/result");
  if (view.id == run.run.id) return;
  throw InvalidInput(
      "", fmt::format("{}/result: at /id: expected {}, found {}", place, run.run.id, view.id));
}

// Runs of several files, by id; one that two files have alike is taken once.
class GivenRuns {
 public:
  void add(const std::filesystem::path& file) {
    std::vector<StoredRun> runs = runs_from_text(read_input_file(file), file.string());
    for (std::size_t i = 0; i < runs.size(); ++i) {
      check_result(runs[i], fmt::format("{}: /runs/{}", file.string(), i));
      add(std::move(runs[i]), file);
    }
  }
  const std::vector<StoredRun>& all() const { return runs_; }

 private:
  void add(StoredRun run, const std::filesystem::path& file) {
    const auto [known, is_new] = places_.try_emplace(run.run.id, Place{runs_.size(), file});
    if (is_new) {
      runs_.push_back(std::move(run));
      return;
    }
    const Place& place = known->second;
    if (place.file == file) {
      throw InvalidInput("", fmt::format("{}: run {} is given twice", file.string(), run.run.id));
    }
    if (as_measured(runs_[place.index]) != as_measured(run)) {
      throw InvalidInput("", fmt::format("{}: run {} is another one than in {}", file.string(),
                                         run.run.id, place.file.string()));
    }
  }

  struct Place {
    std::size_t index;
    std::filesystem::path file;
  };
  std::vector<StoredRun> runs_;
  std::map<std::string, Place> places_;
};

int import_runs(const StoreOptions& options) {
  GivenRuns given;
  for (const std::filesystem::path& file : options.files) given.add(file);
  const std::vector<StoredRun>& runs = given.all();
  Store store = Store::open(options.file(), Store::Mode::create);
  std::vector<bool> known;
  for (const StoredRun& run : runs) known.push_back(is_stored(store, run));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!known[i]) store.add_run(runs[i]);
    say(fmt::format("run {} {}\n", runs[i].run.id, known[i] ? "is there already" : "taken in"));
  }
  return kDone;
}

int remove_run(const StoreOptions& options) {
  Store store = Store::open(options.file(), Store::Mode::existing);
  store.remove_run(options.runs.front());
  say(fmt::format("run {} removed\n", options.runs.front()));
  return kDone;
}

CLI::App& add_action(CLI::App& parent, const std::string& name, const std::string& description,
                     const std::shared_ptr<StoreOptions>& options, int (*work)(const StoreOptions&),
                     Action& action) {
  CLI::App& app = *parent.add_subcommand(name, description);
  add_store_file(app, options->store);
  app.callback([options, work, &action] { action = [options, work] { return work(*options); }; });
  return app;
}

}  // namespace

void add_store(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand("store", "Export, import, remove stored runs");
  app.require_subcommand(1);
  app.footer(
      "Example:\n"
      "  splitbench store export > runs.json     every run with its raw samples\n"
      "  splitbench store import runs.json --store here.db");
  auto options = std::make_shared<StoreOptions>();
  add_action(app, "export", "Write runs and their raw samples to standard output, all by default",
             options, export_runs, action)
      .add_option("run", options->runs, "Which ones, by id")
      ->type_name("RUN");
  add_action(app, "import", "Take in what export wrote; a run that is there stays as it is",
             options, import_runs, action)
      .add_option("file", options->files, "What export wrote")
      ->type_name("FILE")
      ->required();
  add_action(app, "remove", "Delete one run and its samples for good", options, remove_run, action)
      .add_option("run", options->runs, "Its id, in full")
      ->type_name("RUN")
      ->required()
      ->expected(1);
}

}  // namespace splitbench::cli
