// SQLite with owners for its handles, typed values, and every error a StoreError that names the
// file and gives SQLite's message. No more of it than the store uses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "results/store_error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace splitbench::sqlite {

using Blob = std::span<const std::uint8_t>;
// What a '?' of a statement stands for. Looked at only during the call that takes it.
using Value = std::variant<std::int64_t, std::string_view, Blob>;

class Database;

// A query and its current row. Outlived by its database.
class Rows {
 public:
  // Goes to the next row, at first to the first; false: there is none.
  bool next();

  // Columns of the current row, from 0.
  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::vector<std::uint8_t> blob(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Rows(const Database& database, std::string_view sql, std::initializer_list<Value> values);

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Mode {
    create,
    existing,
    // Without a lock and without the write-ahead log: right where nothing can write the file.
    immutable,
  };

  // Waits up to 10 s wherever another process holds the file.
  Database(const std::filesystem::path& file, Mode mode);

  Rows query(std::string_view sql, std::initializer_list<Value> values = {}) const;
  // The first column of a query that gives one row.
  std::int64_t integer(std::string_view sql) const;
  std::string text(std::string_view sql) const;
  // One statement; the number of rows it changed.
  std::int64_t change(std::string_view sql, std::initializer_list<Value> values = {});
  // Statements without values, separated by ';'.
  void execute(const std::string& script);

  const std::filesystem::path& file() const { return file_; }

 private:
  friend class Rows;
  friend class Transaction;
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  // Throws what the last call on the handle reported.
  [[noreturn]] void fail() const;

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// From construction to commit(), all or nothing; without commit() nothing. A reading one sees the
// store as it was at its first query, a writing one is alone in writing.
class Transaction {
 public:
  enum class Kind { read, write };

  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // On return of a writing one the changes are on the disk.
  void commit();

 private:
  Database& database_;
};

}  // namespace splitbench::sqlite
