#include "results/sqlite.h"

#include <sqlite3.h>

#include <system_error>

namespace splitbench::sqlite {
namespace {

constexpr int kBusyTimeoutMs = 10'000;

StoreFault fault_of(int code, int system_error) {
  switch (code) {
    case SQLITE_FULL:
      return StoreFault::full;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return StoreFault::read_only;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return StoreFault::busy;
    case SQLITE_NOTADB:
      return StoreFault::foreign;
    case SQLITE_CORRUPT:
      return StoreFault::damaged;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return fault_of_system(system_error);
    default:
      return StoreFault::unusable;
  }
}

// For a URI: what means something there is written by its number.
std::string percent_encoded(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    if (std::string_view("%?#").find(c) == std::string_view::npos) {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += {'%', kDigits[byte / 16], kDigits[byte % 16]};
  }
  return text;
}

struct Bind {
  sqlite3_stmt* statement;
  int index;

  int operator()(std::int64_t value) const { return sqlite3_bind_int64(statement, index, value); }
  int operator()(std::string_view value) const {
    return sqlite3_bind_text64(statement, index, value.data(), value.size(), SQLITE_TRANSIENT,
                               SQLITE_UTF8);
  }
  int operator()(Blob value) const {
    return sqlite3_bind_blob64(statement, index, value.data(), value.size(), SQLITE_TRANSIENT);
  }
};

}  // namespace

void Rows::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

Rows::Rows(const Database& database, std::string_view sql, std::initializer_list<Value> values)
    : database_(&database) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database.handle_.get(), sql.data(),
                                      static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) database.fail();
  int index = 0;
  for (const Value& value : values) {
    if (std::visit(Bind{statement, ++index}, value) != SQLITE_OK) database.fail();
  }
}

bool Rows::next() {
  const int code = sqlite3_step(statement_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) database_->fail();
  return code == SQLITE_ROW;
}

std::int64_t Rows::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Rows::text(int column) const {
  const std::vector<std::uint8_t> bytes = blob(column);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::uint8_t> Rows::blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  if (size == 0) return {};
  if (bytes == nullptr) database_->fail();
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  return {first, first + size};
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close_v2(handle);
}

Database::Database(const std::filesystem::path& file, Mode mode) : file_(file) {
  sqlite3* handle = nullptr;
  // Absolute, so that no name means anything special to SQLite, as ":memory:" would.
  const std::string path = std::filesystem::absolute(file).string();
  const int code =
      mode == Mode::immutable
          ? sqlite3_open_v2(("file:" + percent_encoded(path) + "?immutable=1").c_str(), &handle,
                            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr)
          : sqlite3_open_v2(path.c_str(), &handle,
                            SQLITE_OPEN_READWRITE | (mode == Mode::create ? SQLITE_OPEN_CREATE : 0),
                            nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail();
  sqlite3_busy_timeout(handle, kBusyTimeoutMs);
}

Rows Database::query(std::string_view sql, std::initializer_list<Value> values) const {
  return {*this, sql, values};
}

std::int64_t Database::integer(std::string_view sql) const {
  Rows rows = query(sql);
  rows.next();
  return rows.integer(0);
}

std::string Database::text(std::string_view sql) const {
  Rows rows = query(sql);
  rows.next();
  return rows.text(0);
}

std::int64_t Database::change(std::string_view sql, std::initializer_list<Value> values) {
  Rows rows = query(sql, values);
  while (rows.next()) {
  }
  return sqlite3_changes(handle_.get());
}

void Database::execute(const std::string& script) {
  if (sqlite3_exec(handle_.get(), script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

void Database::fail() const {
  const int code = sqlite3_errcode(handle_.get());
  const int system_error = sqlite3_system_errno(handle_.get());
  std::string message = sqlite3_errmsg(handle_.get());
  if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && system_error != 0) {
    message += " (" + std::generic_category().message(system_error) + ")";
  }
  throw StoreError(fault_of(code, system_error), file_, message);
}

Transaction::Transaction(Database& database, Kind kind) : database_(database) {
  database.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  sqlite3* handle = database_.handle_.get();
  // Some errors end the transaction by themselves.
  if (sqlite3_get_autocommit(handle) == 0) {
    sqlite3_exec(handle, "ROLLBACK", nullptr, nullptr, nullptr);
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
}

}  // namespace splitbench::sqlite
