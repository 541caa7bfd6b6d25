#include "results/store.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "model/invalid_input.h"
#include "results/fingerprint.h"
#include "results/record_json.h"

namespace splitbench {
namespace {

using nlohmann::ordered_json;
using sqlite::Blob;
using sqlite::Rows;
using sqlite::Transaction;

std::int64_t checksum(Blob bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

Blob bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string label(std::string_view run) {
  return "run " + std::string(run);
}
std::string label(std::string_view run, std::int64_t session) {
  return "session " + std::to_string(session) + " of " + label(run);
}
std::string label(std::string_view run, std::int64_t session, std::int64_t round) {
  return "round " + std::to_string(round) + " of " + label(run, session);
}

[[noreturn]] void fail_damaged(const std::filesystem::path& file, const std::string& what,
                               const std::string& why) {
  throw StoreError(StoreFault::damaged, file, what + " is damaged: " + why);
}

template <class Record>
std::vector<std::uint8_t> packed(const Record& record) {
  return ordered_json::to_cbor(to_json(record));
}

// Carries out `read` on what the store holds of `what`; whatever is wrong with it is damage.
template <class Read>
auto checked(const std::filesystem::path& file, const std::string& what, Read read) {
  try {
    return read();
  } catch (const nlohmann::json::exception& error) {
    fail_damaged(file, what, error.what());
  } catch (const InvalidInput& error) {
    fail_damaged(file, what, error.what());
  } catch (const BadDocument& error) {
    fail_damaged(file, what, error.what());
  }
}

// The record in the columns `first` (its bytes) and `first` + 1 (their checksum).
template <class Record>
Record unpacked(const Rows& row, int first, Record (*from_json)(const ordered_json&),
                const std::filesystem::path& file, const std::string& what) {
  const std::vector<std::uint8_t> bytes = row.blob(first);
  if (checksum(bytes) != row.integer(first + 1)) {
    fail_damaged(file, what, "its checksum is not that of what was saved");
  }
  return checked(file, what, [&] { return from_json(ordered_json::from_cbor(bytes)); });
}

// The text in the column `first`, its checksum in the next.
std::string checked_text(const Rows& row, int first, const std::filesystem::path& file,
                         const std::string& what) {
  std::string text = row.text(first);
  if (checksum(bytes_of(text)) != row.integer(first + 1)) {
    fail_damaged(file, what, "its checksum is not that of what was saved");
  }
  return text;
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

// Stores of earlier versions lack some, and stay so where they cannot be written.
bool has_forecasts(const sqlite::Database& database) {
  return database.integer("PRAGMA user_version") >= 2;
}
bool has_fingerprints_and_marks(const sqlite::Database& database) {
  return database.integer("PRAGMA user_version") >= 3;
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
      "SELECT run.id, document, result.checksum FROM run JOIN result ON result.run = run.id"
      " WHERE fingerprint = ? AND protocol = ? ORDER BY started_utc, run.rowid",
      {fingerprint, protocol});
  while (rows.next()) {
    const std::string id = rows.text(0);
    series.push_back({id, checked_text(rows, 1, file(), "the result of " + label(id)), marks(id)});
  }
  return series;
}

std::optional<std::string> Store::newest_run() const {
  const bool marked = has_fingerprints_and_marks(database_);
  Rows rows = database_.query(
      std::string("SELECT id FROM run ") +
      (marked ? "WHERE id NOT IN (SELECT run FROM mark WHERE kind = 'confirms') " : "") +
      "ORDER BY started_utc DESC, rowid DESC LIMIT 1");
  if (!rows.next()) return std::nullopt;
  return rows.text(0);
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
      if (error.fault() != StoreFault::damaged) throw;
      if (damaged.empty()) {
        damaged.push_back("the table of runs is damaged, some may be missing: " +
                          std::string(error.what()));
      }
    }
  }
  return {ids.begin(), ids.end()};
}

RunList Store::list_runs() const {
  RunList list;
  const std::string fingerprint = has_fingerprints_and_marks(database_) ? "fingerprint" : "''";
  for (const std::int64_t row : row_ids(list.damaged)) {
    try {
      Rows rows = database_.query(
          "SELECT id, started_utc, protocol, node, " + fingerprint +
              ", backend, times_are, ifnull(outcome, ?),"
              " (SELECT count(*) FROM round WHERE round.run = run.id)"
              " FROM run LEFT JOIN result ON result.run = run.id WHERE run.rowid = ?",
          {name(RunOutcome::partial), row});
      if (rows.next()) list.runs.push_back(run_summary(rows, file()));
    } catch (const StoreError& error) {
      if (error.fault() != StoreFault::damaged) throw;
      list.damaged.emplace_back(error.what());
    }
  }
  std::sort(list.runs.begin(), list.runs.end(), [](const RunSummary& a, const RunSummary& b) {
    return std::tie(a.started_utc, a.id) < std::tie(b.started_utc, b.id);
  });
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
