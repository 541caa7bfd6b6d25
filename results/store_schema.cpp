#include "results/store_schema.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/invalid_input.h"
#include "results/fingerprint.h"

namespace splitbench {
namespace {

constexpr std::int64_t kApplicationId = 0x73706c62;  // "splb", in the file's header

// Element n leads from version n to n + 1. What is not looked for by itself is in `record` (CBOR,
// see record_json.h), with the CRC-32 of its bytes; the other columns repeat what is in it.
constexpr std::array<const char*, 3> kSteps{R"(
    CREATE TABLE run (
      id TEXT NOT NULL PRIMARY KEY,
      started_utc TEXT NOT NULL,
      protocol TEXT NOT NULL,
      node TEXT NOT NULL,
      backend TEXT NOT NULL,
      times_are TEXT NOT NULL,
      record BLOB NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE session (
      run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      session INTEGER NOT NULL,
      record BLOB NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (run, session)
    ) STRICT;
    CREATE TABLE round (
      run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      session INTEGER NOT NULL,
      round INTEGER NOT NULL,
      record BLOB NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (run, session, round)
    ) STRICT;
    CREATE TABLE result (
      run TEXT NOT NULL PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
      outcome TEXT NOT NULL,
      document TEXT NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;
    )",
                                            R"(
    CREATE TABLE forecast (
      run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      sessions INTEGER NOT NULL,
      document TEXT NOT NULL,
      checksum INTEGER NOT NULL,
      PRIMARY KEY (run, sessions)
    ) STRICT;
    )",
                                            R"(
    ALTER TABLE run ADD COLUMN fingerprint TEXT NOT NULL DEFAULT '';
    CREATE INDEX run_series ON run (fingerprint, protocol, started_utc);
    CREATE INDEX run_start ON run (started_utc);
    CREATE TABLE mark (
      number INTEGER PRIMARY KEY,
      run TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
      kind TEXT NOT NULL,
      marked_utc TEXT NOT NULL,
      author TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    CREATE INDEX mark_run ON mark (run);
    )"};
constexpr auto kVersion = static_cast<std::int64_t>(kSteps.size());

// Of runs that were stored before there were any; one whose record is damaged keeps none.
void add_fingerprints(sqlite::Database& database) {
  std::vector<std::pair<std::int64_t, std::string>> found;
  sqlite::Rows rows = database.query("SELECT rowid, record FROM run WHERE fingerprint = ''");
  while (rows.next()) {
    try {
      const auto record = nlohmann::ordered_json::from_cbor(rows.blob(1));
      found.emplace_back(rows.integer(0), fingerprint(node_from_json(record.at("node"))));
    } catch (const nlohmann::json::exception&) {
      continue;
    } catch (const InvalidInput&) {
      continue;
    }
  }
  for (const auto& [row, text] : found) {
    database.change("UPDATE run SET fingerprint = ? WHERE rowid = ?", {text, row});
  }
}

}  // namespace

bool has_schema(sqlite::Database& database) {
  // Another process may be making the tables: all of this is read at one moment.
  const sqlite::Transaction snapshot(database, sqlite::Transaction::Kind::read);
  const std::int64_t application = database.integer("PRAGMA application_id");
  const std::int64_t version = database.integer("PRAGMA user_version");
  const std::int64_t tables = database.integer("SELECT count(*) FROM sqlite_schema");
  if (application == 0 && version == 0 && tables == 0) return false;
  if (application != kApplicationId) {
    throw StoreError(StoreFault::foreign, database.file(),
                     "is a database, but not a store of splitbench");
  }
  if (version > kVersion) {
    throw StoreError(StoreFault::newer, database.file(),
                     "was written by a later version of splitbench (its tables are version " +
                         std::to_string(version) + ", this one knows " + std::to_string(kVersion) +
                         ")");
  }
  return true;
}

void update_schema(sqlite::Database& database) {
  if (database.integer("PRAGMA user_version") == kVersion) return;
  sqlite::Transaction transaction(database, sqlite::Transaction::Kind::write);
  // Another process may have been faster.
  const std::int64_t version = database.integer("PRAGMA user_version");
  for (auto step = static_cast<std::size_t>(version); step < kSteps.size(); ++step) {
    database.execute(kSteps[step]);
  }
  add_fingerprints(database);
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                   "; PRAGMA user_version = " + std::to_string(kVersion));
  transaction.commit();
}

}  // namespace splitbench
