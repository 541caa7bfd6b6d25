#include "results/store.h"

#include <unistd.h>

#include <boost/crc.hpp>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "model/invalid_input.h"
#include "results/record_json.h"
#include "results/store_schema.h"

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

// Makes the directories to the file, and finds out whether it can be made there.
void prepare_directory(const std::filesystem::path& file) {
  const std::filesystem::path directory = std::filesystem::absolute(file).parent_path();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error && ::access(directory.c_str(), W_OK | X_OK) != 0) {
    error.assign(errno, std::generic_category());
  }
  if (error) {
    throw StoreError(fault_of_system(error.value()), file, "cannot be made: " + error.message());
  }
}

void check_place(const std::filesystem::path& file, Store::Mode mode) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (std::filesystem::is_regular_file(status)) return;
  if (std::filesystem::exists(status)) {
    throw StoreError(StoreFault::unusable, file, "is not a regular file");
  }
  if (mode == Store::Mode::existing) {
    throw StoreError(StoreFault::no_store, file, "there is no store");
  }
  prepare_directory(file);
}

// SQLite itself does not wait where two processes switch to the log at once.
std::string journal_after_switch(sqlite::Database& database) {
  constexpr int kAttempts = 1000;
  for (int attempt = 1;; ++attempt) {
    try {
      return database.text("PRAGMA journal_mode = WAL");
    } catch (const StoreError& error) {
      if (error.fault() != StoreFault::busy || attempt == kAttempts) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void use_write_ahead_log(sqlite::Database& database) {
  if (journal_after_switch(database) != "wal") {
    throw StoreError(StoreFault::unusable, database.file(),
                     "its file system has no shared memory for a write-ahead log");
  }
}

}  // namespace

Store Store::open(const std::filesystem::path& file, Mode mode) {
  check_place(file, mode);
  sqlite::Database database(file, mode == Mode::create ? sqlite::Database::Mode::create
                                                       : sqlite::Database::Mode::existing);
  if (!has_schema(database) && mode == Mode::existing) {
    throw StoreError(StoreFault::no_store, file, "is empty, there is no store in it");
  }
  use_write_ahead_log(database);
  database.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  update_schema(database);
  return Store(std::move(database));
}

void Store::begin_run(const RunRecord& run) {
  const auto record = packed(run);
  const auto added = database_.change(
      "INSERT INTO run (id, started_utc, protocol, node, backend, times_are, record, checksum)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
      {run.id, run.provenance.started_utc, run.protocol.name, summary(run.node), run.node.backend,
       name(run.node.times_are), record, checksum(record)});
  if (added == 0) {
    throw StoreError(StoreFault::duplicate, file(), label(run.id) + " is stored already");
  }
}

void Store::update_run(const RunRecord& run) {
  const auto record = packed(run);
  const auto changed = database_.change(
      "UPDATE run SET (started_utc, protocol, node, backend, times_are, record, checksum) ="
      " (?, ?, ?, ?, ?, ?, ?) WHERE id = ?",
      {run.provenance.started_utc, run.protocol.name, summary(run.node), run.node.backend,
       name(run.node.times_are), record, checksum(record), run.id});
  if (changed == 0) fail_no_run(run.id);
}

void Store::save_session(std::string_view run, const SessionRecord& session) {
  const auto record = packed(session);
  Transaction transaction(database_, Transaction::Kind::write);
  require_run(run);
  database_.change(
      "INSERT OR REPLACE INTO session (run, session, record, checksum) VALUES (?, ?, ?, ?)",
      {run, session.session, record, checksum(record)});
  transaction.commit();
}

void Store::save_round(std::string_view run, const RoundRecord& round) {
  const auto record = packed(round);
  Transaction transaction(database_, Transaction::Kind::write);
  require_run(run);
  const auto added = database_.change(
      "INSERT INTO round (run, session, round, record, checksum) VALUES (?, ?, ?, ?, ?)"
      " ON CONFLICT DO NOTHING",
      {run, round.session, round.round, record, checksum(record)});
  if (added == 0) {
    throw StoreError(StoreFault::duplicate, file(),
                     label(run, round.session, round.round) + " is stored already");
  }
  transaction.commit();
}

void Store::finish_run(std::string_view run, RunOutcome outcome, std::string_view document) {
  Transaction transaction(database_, Transaction::Kind::write);
  require_run(run);
  database_.change(
      "INSERT OR REPLACE INTO result (run, outcome, document, checksum) VALUES (?, ?, ?, ?)",
      {run, name(outcome), document, checksum(bytes_of(document))});
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
  Rows result =
      database_.query("SELECT document, checksum, outcome FROM result WHERE run = ?", {id});
  if (result.next()) {
    const std::string what = "the result of " + label(id);
    stored.document = result.text(0);
    if (checksum(bytes_of(*stored.document)) != result.integer(1)) {
      fail_damaged(file(), what, "its checksum is not that of what was saved");
    }
    stored.outcome = checked(file(), what, [&] { return run_outcome(result.text(2)); });
  }
  return stored;
}

std::vector<RunSummary> Store::list_runs() const {
  std::vector<RunSummary> runs;
  Rows rows = database_.query(
      "SELECT id, started_utc, protocol, node, backend, times_are, ifnull(outcome, ?),"
      " (SELECT count(*) FROM round WHERE round.run = run.id)"
      " FROM run LEFT JOIN result ON result.run = run.id ORDER BY started_utc, id",
      {name(RunOutcome::partial)});
  while (rows.next()) {
    runs.push_back(checked(file(), label(rows.text(0)), [&] {
      return RunSummary{.id = rows.text(0),
                        .started_utc = rows.text(1),
                        .protocol = rows.text(2),
                        .node = rows.text(3),
                        .backend = rows.text(4),
                        .times_are = times_are(rows.text(5)),
                        .outcome = run_outcome(rows.text(6)),
                        .rounds = rows.integer(7)};
    }));
  }
  return runs;
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
