// The store: one SQLite file that keeps every run with its raw samples.
//
// What a call has saved is on the disk when it returns, and outlives a killed process and a lost
// power supply (write-ahead log, synchronous = FULL). Several processes may write at once; each
// waits up to 10 s for the others. A Store is for one thread, and is not carried over a fork. The
// file system must be a local one: the write-ahead log needs shared memory.
//
// Where there are several runs, the oldest is the first: by start, of one second as they were
// stored.
//
// Every call throws StoreError; a call that did has saved nothing of what it was given.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/mark.h"
#include "results/run_filter.h"
#include "results/run_record.h"
#include "results/sqlite.h"

namespace splitbench {

struct StoredRun {
  RunRecord run;
  std::vector<SessionRecord> sessions;  // by number
  std::vector<RoundRecord> rounds;      // by session, then round
  RunOutcome outcome = RunOutcome::partial;
  std::optional<std::string> document;  // the result document, JSON; none: the run was not finished
  // JSON, by the number of sessions they were made from; the last is the run's own.
  std::map<std::int64_t, std::string> forecasts;
  std::vector<Mark> marks;  // in the order they were made
};

// A run of a series, without its samples.
struct StoredResult {
  std::string id;
  std::string document;
  std::vector<Mark> marks;
};

// One line of a list of runs.
struct RunSummary {
  std::string id;
  std::string started_utc;
  std::string protocol;     // its name
  std::string node;         // summary() of it
  std::string fingerprint;  // likewise; empty in a store of before there were any
  std::string backend;
  TimesAre times_are = TimesAre::measured;
  RunOutcome outcome = RunOutcome::partial;
  std::int64_t rounds = 0;  // stored, void ones among them
};

struct RunList {
  std::vector<RunSummary> runs;
  std::vector<std::string> damaged;  // what cannot be read, a sentence each
};

class Store {
 public:
  enum class Mode {
    create,    // make the file, and the directories to it, where they are missing
    existing,  // StoreFault::no_store where there is none
    reading,   // likewise, and a place that cannot be written will do
  };

  // A store of an older version is brought up to date.
  static Store open(const std::filesystem::path& file, Mode mode);

  // With its first marks, if it has any.
  void begin_run(const RunRecord& run, const std::vector<Mark>& marks = {});
  // Replaces the record that the run began with: protocol and notes after the fit to the budget.
  void update_run(const RunRecord& run);
  // Replaces what is stored of that session, if anything is.
  void save_session(std::string_view run, const SessionRecord& session);
  void save_round(std::string_view run, const RoundRecord& round);
  // What was forecast from the first `sessions` sessions; never replaced by another.
  void save_forecast(std::string_view run, std::int64_t sessions, std::string_view document);
  // Replaces the outcome and document of a run that was finished before.
  void finish_run(std::string_view run, RunOutcome outcome, std::string_view document);

  // Everything, as it was at one moment. StoreFault::damaged_run names the record that is not what
  // was written.
  StoredRun load_run(std::string_view run) const;
  // The result document alone; none: the run was not finished.
  std::optional<std::string> load_document(std::string_view run) const;
  // Reads on behind what is damaged, and names runs whose record or result is. Rounds are not read.
  RunList list_runs() const;
  // All of a run at once, as load_run() gave it.
  void add_run(const StoredRun& stored);
  void remove_run(std::string_view run);

  // Added to those that are there.
  void add_mark(std::string_view run, const Mark& mark);
  // The finished runs of one machine and protocol.
  std::vector<StoredResult> series(std::string_view fingerprint, std::string_view protocol) const;
  // Of those that the filter takes and that confirm no other.
  std::optional<RunSummary> newest_run(const RunFilter& filter = {}) const;

  const std::filesystem::path& file() const { return database_.file(); }

 private:
  explicit Store(sqlite::Database database) : database_(std::move(database)) {}

  static Store open_for_reading(const std::filesystem::path& file);
  // Carries out `insert` on a run that is there, all or nothing.
  template <class Insert>
  void change(std::string_view run, Insert insert);

  [[noreturn]] void fail_no_run(std::string_view run) const;
  void require_run(std::string_view run) const;
  void insert(const RunRecord& run);
  void insert(std::string_view run, const SessionRecord& session);
  void insert(std::string_view run, const RoundRecord& round);
  void insert_forecast(std::string_view run, std::int64_t sessions, std::string_view document);
  void insert(std::string_view run, const Mark& mark);
  std::vector<Mark> marks(std::string_view run) const;
  void insert_result(std::string_view run, RunOutcome outcome, std::string_view document);
  std::vector<std::int64_t> row_ids(std::vector<std::string>& damaged) const;
  void require_whole(std::string_view run) const;

  mutable sqlite::Database database_;  // reading opens transactions
};

}  // namespace splitbench
