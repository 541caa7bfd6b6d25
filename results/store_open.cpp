// How a store is found, made or refused.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "results/store.h"
#include "results/store_schema.h"

namespace splitbench {
namespace {

[[noreturn]] void fail_empty(const std::filesystem::path& file) {
  throw StoreError(StoreFault::no_store, file, "is empty, there is no store in it");
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
  if (mode != Store::Mode::create) {
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
  if (mode == Mode::reading) return open_for_reading(file);
  sqlite::Database database(file, mode == Mode::create ? sqlite::Database::Mode::create
                                                       : sqlite::Database::Mode::existing);
  if (!has_schema(database) && mode == Mode::existing) fail_empty(file);
  use_write_ahead_log(database);
  database.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  update_schema(database);
  return Store(std::move(database));
}

Store Store::open_for_reading(const std::filesystem::path& file) {
  try {
    return open(file, Mode::existing);
  } catch (const StoreError& error) {
    if (error.fault() != StoreFault::read_only && error.fault() != StoreFault::unusable) throw;
  }
  // SQLite reads through the log, which takes files beside this one that it may write.
  std::error_code ignored;
  const std::filesystem::path log = file.string() + "-wal";
  if (std::filesystem::exists(log, ignored) && std::filesystem::file_size(log, ignored) > 0) {
    throw StoreError(StoreFault::read_only, file,
                     "its last rounds are still in " + log.string() +
                         ", which cannot be read where nothing can be written: copy both files");
  }
  sqlite::Database database(file, sqlite::Database::Mode::immutable);
  if (!has_schema(database)) fail_empty(file);
  return Store(std::move(database));
}

}  // namespace splitbench
