#include "results/store.h"

#include <algorithm>
#include <set>

#include "results/fingerprint.h"
#include "results/record_json.h"
#include "results/stored_row.h"

namespace splitbench {
namespace {

using nlohmann::ordered_json;
using sqlite::Rows;
using sqlite::Transaction;

template <class Record>
std::vector<std::uint8_t> packed(const Record& record) {
  return ordered_json::to_cbor(to_json(record));
}

bool is_damage(const StoreError& error) {
  return error.fault() == StoreFault::damaged || error.fault() == StoreFault::damaged_run;
}

RunSummary run_summary(const Rows& row, const std::filesystem::path& file) {
  return checked(file, label(row.text(0)), [&row] {
    return RunSummary{.id = row.text(0),
                      .started_utc = row.text(1),
                      .protocol = row.text(2),
                      .node = row.text(3),
                      .fingerprint = row.text(4),
                      .backend = row.text(5),
                      .times_are = times_are(row.text(6)),
                      .outcome = run_outcome(row.text(7)),
                      .rounds = row.integer(8)};
  });
}

// The one order of runs; list_runs(), which reads them row by row, sorts likewise.
constexpr const char* kOldestFirst = " ORDER BY started_utc, run.rowid";
constexpr const char* kNewestFirst = " ORDER BY started_utc DESC, run.rowid DESC";

// Stores of earlier versions lack some, and stay so where they cannot be written.
bool has_forecasts(const sqlite::Database& database) {
  return database.integer("PRAGMA user_version") >= 2;
}
bool has_fingerprints_and_marks(const sqlite::Database& database) {
  return database.integer("PRAGMA user_version") >= 3;
}

// What run_summary() reads, of runs that the condition takes.
std::string select_summary(const sqlite::Database& database, const std::string& condition) {
  const bool marked = has_fingerprints_and_marks(database);
  return std::string("SELECT id, started_utc, protocol, node, ") + (marked ? "fingerprint" : "''") +
         ", backend, times_are, ifnull(outcome, '" + std::string(name(RunOutcome::partial)) +
         "'), (SELECT count(*) FROM round WHERE round.run = run.id)"
         " FROM run LEFT JOIN result ON result.run = run.id WHERE " +
         condition;
}

}  // namespace

void Store::insert(const RunRecord& run) {
  const auto record = packed(run);
  const auto added = database_.change(
      "INSERT INTO run (id, started_utc, protocol, node, backend, times_are, fingerprint, record,"
      " checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      {run.id, run.provenance.started_utc, run.protocol.name, summary(run.node), run.node.backend,
       name(run.node.times_are), fingerprint(run.node), record, checksum(record)});
  if (added == 0) {
    throw StoreError(StoreFault::duplicate, file(), label(run.id) + " is stored already");
  }
}

void Store::insert(std::string_view run, const SessionRecord& session) {
  const auto record = packed(session);
  database_.change(
      "INSERT OR REPLACE INTO session (run, session, record, checksum) VALUES (?, ?, ?, ?)",
      {run, session.session, record, checksum(record)});
}

void Store::insert(std::string_view run, const RoundRecord& round) {
  const auto record = packed(round);
  const auto added = database_.change(
      "INSERT INTO round (run, session, round, record, checksum) VALUES (?, ?, ?, ?, ?)"
      " ON CONFLICT DO NOTHING",
      {run, round.session, round.round, record, checksum(record)});
  if (added == 0) {
    throw StoreError(StoreFault::duplicate, file(),
                     label(run, round.session, round.round) + " is stored already");
  }
}

void Store::insert_forecast(std::string_view run, std::int64_t sessions,
                            std::string_view document) {
  const auto added = database_.change(
      "INSERT INTO forecast (run, sessions, document, checksum) VALUES (?, ?, ?, ?)"
      " ON CONFLICT DO NOTHING",
      {run, sessions, document, checksum(bytes_of(document))});
  if (added == 0) {
    throw StoreError(StoreFault::duplicate, file(),
                     "a forecast from " + std::to_string(sessions) + " sessions of " + label(run) +
                         " is stored already");
  }
}

void Store::insert_result(std::string_view run, RunOutcome outcome, std::string_view document) {
  database_.change(
      "INSERT OR REPLACE INTO result (run, outcome, document, checksum) VALUES (?, ?, ?, ?)",
      {run, name(outcome), document, checksum(bytes_of(document))});
}

void Store::insert(std::string_view run, const Mark& mark) {
  database_.change(
      "INSERT INTO mark (run, kind, marked_utc, author, reason) VALUES (?, ?, ?, ?, ?)",
      {run, name(mark.kind), mark.marked_utc, mark.author, mark.reason});
}

void Store::begin_run(const RunRecord& run, const std::vector<Mark>& marks) {
  Transaction transaction(database_, Transaction::Kind::write);
  insert(run);
  for (const Mark& mark : marks) insert(run.id, mark);
  transaction.commit();
}

void Store::update_run(const RunRecord& run) {
  const auto record = packed(run);
  const auto changed = database_.change(
      "UPDATE run SET (started_utc, protocol, node, backend, times_are, fingerprint, record,"
      " checksum) = (?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?",
      {run.provenance.started_utc, run.protocol.name, summary(run.node), run.node.backend,
       name(run.node.times_are), fingerprint(run.node), record, checksum(record), run.id});
  if (changed == 0) fail_no_run(run.id);
}

template <class Insert>
void Store::change(std::string_view run, Insert insert) {
  Transaction transaction(database_, Transaction::Kind::write);
  require_run(run);
  insert();
  transaction.commit();
}

void Store::save_session(std::string_view run, const SessionRecord& session) {
  change(run, [&] { insert(run, session); });
}

void Store::save_round(std::string_view run, const RoundRecord& round) {
  change(run, [&] { insert(run, round); });
}

void Store::save_forecast(std::string_view run, std::int64_t sessions, std::string_view document) {
  change(run, [&] { insert_forecast(run, sessions, document); });
}

void Store::finish_run(std::string_view run, RunOutcome outcome, std::string_view document) {
  change(run, [&] { insert_result(run, outcome, document); });
}

void Store::add_run(const StoredRun& stored) {
  const std::string& id = stored.run.id;
  Transaction transaction(database_, Transaction::Kind::write);
  insert(stored.run);
  for (const SessionRecord& session : stored.sessions) insert(id, session);
  for (const RoundRecord& round : stored.rounds) insert(id, round);
  for (const auto& [sessions, document] : stored.forecasts) insert_forecast(id, sessions, document);
  if (stored.document) insert_result(id, stored.outcome, *stored.document);
  for (const Mark& mark : stored.marks) insert(id, mark);
  transaction.commit();
}

StoredRun Store::load_run(std::string_view id) const {
  const Transaction snapshot(database_, Transaction::Kind::read);
  StoredRun stored;
  Rows run = database_.query("SELECT record, checksum FROM run WHERE id = ?", {id});
  if (!run.next()) fail_no_run(id);
  stored.run = unpacked(run, 0, run_from_json, file(), label(id));

  Rows sessions = database_.query(
      "SELECT session, record, checksum FROM session WHERE run = ? ORDER BY session", {id});
  while (sessions.next()) {
    stored.sessions.push_back(
        unpacked(sessions, 1, session_from_json, file(), label(id, sessions.integer(0))));
  }
  Rows rounds = database_.query(
      "SELECT session, round, record, checksum FROM round WHERE run = ? ORDER BY session, round",
      {id});
  while (rounds.next()) {
    stored.rounds.push_back(unpacked(rounds, 2, round_from_json, file(),
                                     label(id, rounds.integer(0), rounds.integer(1))));
  }
  if (has_forecasts(database_)) {
    Rows forecasts = database_.query(
        "SELECT sessions, document, checksum FROM forecast WHERE run = ? ORDER BY sessions", {id});
    while (forecasts.next()) {
      stored.forecasts.emplace(
          forecasts.integer(0),
          checked_text(forecasts, 1, file(),
                       "the forecast from " + std::to_string(forecasts.integer(0)) +
                           " sessions of " + label(id)));
    }
  }
  Rows result =
      database_.query("SELECT document, checksum, outcome FROM result WHERE run = ?", {id});
  if (result.next()) {
    const std::string what = "the result of " + label(id);
    stored.document = checked_text(result, 0, file(), what);
    stored.outcome = checked(file(), what, [&] { return run_outcome(result.text(2)); });
  }
  stored.marks = marks(id);
  return stored;
}

std::vector<Mark> Store::marks(std::string_view run) const {
  std::vector<Mark> marks;
  if (!has_fingerprints_and_marks(database_)) return marks;
  Rows rows = database_.query(
      "SELECT kind, marked_utc, author, reason FROM mark WHERE run = ? ORDER BY number", {run});
  while (rows.next()) {
    marks.push_back(checked(file(), "a mark of " + label(run), [&rows] {
      return mark_from_json({{"kind", rows.text(0)},
                             {"marked_utc", rows.text(1)},
                             {"author", rows.text(2)},
                             {"reason", rows.text(3)}});
    }));
  }
  return marks;
}

void Store::add_mark(std::string_view run, const Mark& mark) {
  change(run, [&] { insert(run, mark); });
}

std::vector<StoredResult> Store::series(std::string_view fingerprint,
                                        std::string_view protocol) const {
  if (!has_fingerprints_and_marks(database_)) {
    throw StoreError(StoreFault::read_only, file(),
                     "was written by an earlier version and has no series until it is brought up "
                     "to date, which takes a place that can be written: copy it");
  }
  const Transaction snapshot(database_, Transaction::Kind::read);
  std::vector<StoredResult> series;
  Rows rows = database_.query(
      std::string("SELECT run.id, document, result.checksum FROM run JOIN result"
                  " ON result.run = run.id WHERE fingerprint = ? AND protocol = ?") +
          kOldestFirst,
      {fingerprint, protocol});
  while (rows.next()) {
    const std::string id = rows.text(0);
    series.push_back({id, checked_text(rows, 1, file(), "the result of " + label(id)), marks(id)});
  }
  return series;
}

std::optional<RunSummary> Store::newest_run(const RunFilter& filter) const {
  const bool marked = has_fingerprints_and_marks(database_);
  Rows rows = database_.query(
      select_summary(database_,
                     marked ? "id NOT IN (SELECT run FROM mark WHERE kind = 'confirms')" : "1") +
      kNewestFirst);
  while (rows.next()) {
    RunSummary run = run_summary(rows, file());
    if (filter.takes(run)) return run;
  }
  return std::nullopt;
}

std::optional<std::string> Store::load_document(std::string_view id) const {
  const Transaction snapshot(database_, Transaction::Kind::read);
  require_run(id);
  Rows result = database_.query("SELECT document, checksum FROM result WHERE run = ?", {id});
  if (!result.next()) return std::nullopt;
  return checked_text(result, 0, file(), "the result of " + label(id));
}

// A damaged page ends a walk over a table: what lies behind it is reached from the other end.
std::vector<std::int64_t> Store::row_ids(std::vector<std::string>& damaged) const {
  std::set<std::int64_t> ids;
  for (const char* order : {"ASC", "DESC"}) {
    try {
      Rows rows =
          database_.query(std::string("SELECT rowid FROM run NOT INDEXED ORDER BY rowid ") + order);
      while (rows.next()) ids.insert(rows.integer(0));
      break;
    } catch (const StoreError& error) {
      if (!is_damage(error)) throw;
      if (damaged.empty()) {
        damaged.push_back("the table of runs is damaged, some may be missing: " +
                          std::string(error.what()));
      }
    }
  }
  return {ids.begin(), ids.end()};
}

void Store::require_whole(std::string_view run) const {
  Rows record = database_.query("SELECT record, checksum FROM run WHERE id = ?", {run});
  while (record.next()) checked_bytes(record, 0, file(), label(run));
  Rows result = database_.query("SELECT document, checksum FROM result WHERE run = ?", {run});
  while (result.next()) checked_bytes(result, 0, file(), "the result of " + label(run));
}

RunList Store::list_runs() const {
  RunList list;
  const std::string one = select_summary(database_, "run.rowid = ?");
  for (const std::int64_t row : row_ids(list.damaged)) {
    try {
      Rows rows = database_.query(one, {row});
      if (!rows.next()) continue;
      list.runs.push_back(run_summary(rows, file()));
      require_whole(list.runs.back().id);
    } catch (const StoreError& error) {
      if (!is_damage(error)) throw;
      list.damaged.emplace_back(error.what());
    }
  }
  std::stable_sort(
      list.runs.begin(), list.runs.end(),
      [](const RunSummary& a, const RunSummary& b) { return a.started_utc < b.started_utc; });
  return list;
}

void Store::remove_run(std::string_view run) {
  if (database_.change("DELETE FROM run WHERE id = ?", {run}) == 0) fail_no_run(run);
}

void Store::fail_no_run(std::string_view run) const {
  throw StoreError(StoreFault::no_run, file(), "there is no " + label(run));
}

void Store::require_run(std::string_view run) const {
  Rows rows = database_.query("SELECT 1 FROM run WHERE id = ?", {run});
  if (!rows.next()) fail_no_run(run);
}

}  // namespace splitbench
