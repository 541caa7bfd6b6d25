#include "results/store_schema.h"

#include <array>
#include <string>

namespace splitbench {
namespace {

constexpr std::int64_t kApplicationId = 0x73706c62;  // "splb", in the file's header

// Element n leads from version n to n + 1. What is not looked for by itself is in `record` (CBOR,
// see record_json.h), with the CRC-32 of its bytes; the other columns repeat what is in it.
constexpr std::array<const char*, 2> kSteps{R"(
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
    )"};
constexpr auto kVersion = static_cast<std::int64_t>(kSteps.size());

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
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                   "; PRAGMA user_version = " + std::to_string(kVersion));
  transaction.commit();
}

}  // namespace splitbench
