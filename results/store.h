// The store: one SQLite file that keeps every run with its raw samples.
//
// What a call has saved is on the disk when it returns, and outlives a killed process and a lost
// power supply (write-ahead log, synchronous = FULL). Several processes may write at once; each
// waits up to 10 s for the others. A Store is for one thread, and is not carried over a fork. The
// file system must be a local one: the write-ahead log needs shared memory.
//
// Every call throws StoreError; a call that did has saved nothing of what it was given.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/run_record.h"
#include "results/sqlite.h"

namespace splitbench {

struct StoredRun {
  RunRecord run;
  std::vector<SessionRecord> sessions;  // by number
  std::vector<RoundRecord> rounds;      // by session, then round
  RunOutcome outcome = RunOutcome::partial;
  std::optional<std::string> document;  // the result document, JSON; none: the run was not finished
};

// One line of a list of runs.
struct RunSummary {
  std::string id;
  std::string started_utc;
  std::string protocol;  // its name
  std::string node;      // summary() of it
  std::string backend;
  TimesAre times_are = TimesAre::measured;
  RunOutcome outcome = RunOutcome::partial;
  std::int64_t rounds = 0;  // stored, void ones among them
};

class Store {
 public:
  enum class Mode {
    create,    // make the file, and the directories to it, where they are missing
    existing,  // StoreFault::no_store where there is none
  };

  // A store of an older version is brought up to date.
  static Store open(const std::filesystem::path& file, Mode mode);

  void begin_run(const RunRecord& run);
  // Replaces the record that the run began with: protocol and notes after the fit to the budget.
  void update_run(const RunRecord& run);
  // Replaces what is stored of that session, if anything is.
  void save_session(std::string_view run, const SessionRecord& session);
  void save_round(std::string_view run, const RoundRecord& round);
  // Replaces the outcome and document of a run that was finished before.
  void finish_run(std::string_view run, RunOutcome outcome, std::string_view document);

  // Everything, as it was at one moment. StoreFault::damaged names the record that is not what was
  // written.
  StoredRun load_run(std::string_view run) const;
  // By start, the oldest first.
  std::vector<RunSummary> list_runs() const;
  void remove_run(std::string_view run);

  const std::filesystem::path& file() const { return database_.file(); }

 private:
  explicit Store(sqlite::Database database) : database_(std::move(database)) {}

  [[noreturn]] void fail_no_run(std::string_view run) const;
  void require_run(std::string_view run) const;

  mutable sqlite::Database database_;  // reading opens transactions
};

}  // namespace splitbench
