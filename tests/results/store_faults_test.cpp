// What a store keeps when its writer is killed, when several write, when the disk is full, and when
// it may not be written: every round of which the writer was told that it is saved.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "model/random.h"
#include "results/store.h"
#include "tests/results/records.h"
#include "tests/results/system_calls.h"
#include "tests/support/child.h"
#include "tests/support/temporary_directory.h"

namespace splitbench {
namespace {

using test::Child;
using test::same;
using test::small_run;
using test::TemporaryDirectory;

// About 64 kB, so that some tens of them make SQLite move its log into the file.
RoundRecord large_round(int round) {
  RoundRecord record = test::small_round(0, round);
  for (int i = 0; i < 7000; ++i) record.blocks[0].block.seconds.push_back(1e-3 / (round + i + 1));
  return record;
}

std::string integrity(const std::filesystem::path& file) {
  return sqlite::Database(file, sqlite::Database::Mode::existing).text("PRAGMA integrity_check");
}

// How many of large_round(0), large_round(1), ... the store has of a run, and no others.
std::size_t whole_rounds(const Store& store, const std::string& run) {
  const StoredRun stored = store.load_run(run);
  for (std::size_t i = 0; i < stored.rounds.size(); ++i) {
    if (!same(stored.rounds[i], large_round(static_cast<int>(i)))) return 0;
  }
  return stored.rounds.size();
}

bool has_run(const Store& store, const std::string& id) {
  for (const RunSummary& run : store.list_runs().runs) {
    if (run.id == id) return true;
  }
  return false;
}

// What a writer says, a byte at a time, over a pipe that outlives it.
class Acknowledgements {
 public:
  Acknowledgements() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Acknowledgements() {
    ::close(ends_[0]);
    stop_writing();
  }
  Acknowledgements(const Acknowledgements&) = delete;
  Acknowledgements& operator=(const Acknowledgements&) = delete;

  void say() const {
    if (::write(ends_[1], "x", 1) != 1) throw std::runtime_error("nobody listens");
  }
  void stop_writing() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  // Waits for so many; fewer if the writer ends. Those already heard count.
  std::size_t hear(std::size_t count) {
    char byte = 0;
    while (heard_ < count && ::read(ends_[0], &byte, 1) == 1) ++heard_;
    return heard_;
  }

 private:
  int ends_[2] = {-1, -1};
  std::size_t heard_ = 0;
};

// Begins a run and saves rounds until it is killed, saying each time that it has.
void write_until_killed(const std::filesystem::path& file, const std::string& run,
                        const Acknowledgements& saved) {
  Store store = Store::open(file, Store::Mode::create);
  store.begin_run(small_run(run));
  saved.say();
  for (int round = 0;; ++round) {
    store.save_round(run, large_round(round));
    saved.say();
  }
}

TEST(StoreFaults, AWriterKilledAtAnyMomentLosesNothingItWasToldIsSaved) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "store.db";
  Random random(1);
  for (int attempt = 0; attempt < SPLITBENCH_KILLS; ++attempt) {
    const std::string run = "run-" + std::to_string(attempt);
    Acknowledgements saved;
    Child writer([&] {
      write_until_killed(file, run, saved);
      return 0;
    });
    saved.stop_writing();
    saved.hear(random.below(12));
    ::usleep(static_cast<useconds_t>(random.below(4000)));
    writer.kill();
    EXPECT_EQ(writer.wait(), 128 + SIGKILL);
    const std::size_t acknowledged = saved.hear(1'000'000);

    const Store store = Store::open(file, Store::Mode::create);
    if (acknowledged > 0) {
      const std::size_t rounds = whole_rounds(store, run);
      EXPECT_GE(rounds, acknowledged - 1) << run;  // the first was for the run itself
      EXPECT_LE(rounds, acknowledged) << run;      // and one more may have been on its way
    }
    EXPECT_EQ(integrity(file), "ok");
  }
}

// Batches of 32 that write one store together, each killed at a moment of its own.
TEST(StoreFaults, ManyWritersKilledAtAnyMomentLoseNothingTheyWereToldIsSaved) {
  constexpr int kWriters = 32;
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "store.db";
  Random random(3);
  for (int batch = 0; batch * kWriters < SPLITBENCH_KILLS; ++batch) {
    const auto name = [batch](int writer) {
      return "run-" + std::to_string(batch) + "-" + std::to_string(writer);
    };
    std::vector<std::unique_ptr<Acknowledgements>> saved;
    std::vector<Child> writers;
    writers.reserve(kWriters);
    for (int writer = 0; writer < kWriters; ++writer) {
      saved.push_back(std::make_unique<Acknowledgements>());
      writers.emplace_back([&, writer] {
        write_until_killed(file, name(writer), *saved[static_cast<std::size_t>(writer)]);
        return 0;
      });
      saved.back()->stop_writing();
    }
    std::vector<std::size_t> order(kWriters);
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    for (const std::size_t writer : order) {
      ::usleep(static_cast<useconds_t>(random.below(50'000)));
      writers[writer].kill();
      EXPECT_EQ(writers[writer].wait(), 128 + SIGKILL);
    }
    const Store store = Store::open(file, Store::Mode::create);
    for (int writer = 0; writer < kWriters; ++writer) {
      const std::size_t acknowledged = saved[static_cast<std::size_t>(writer)]->hear(1'000'000);
      if (acknowledged == 0) continue;
      const std::size_t rounds = whole_rounds(store, name(writer));
      EXPECT_GE(rounds, acknowledged - 1) << name(writer);
      EXPECT_LE(rounds, acknowledged) << name(writer);
    }
    EXPECT_EQ(integrity(file), "ok");
  }
}

TEST(StoreFaults, AKilledBeginningIsBegunAgain) {
  Random random(2);
  for (int attempt = 0; attempt < 40; ++attempt) {
    const TemporaryDirectory directory;
    const std::filesystem::path file = directory / "store.db";
    Acknowledgements saved;
    Child writer([&] {
      write_until_killed(file, "first", saved);
      return 0;
    });
    ::usleep(static_cast<useconds_t>(random.below(20'000)));
    writer.kill();
    writer.wait();
    saved.stop_writing();
    const bool acknowledged = saved.hear(1) == 1;

    Store store = Store::open(file, Store::Mode::create);
    EXPECT_TRUE(has_run(store, "first") || !acknowledged);
    store.begin_run(small_run("second"));
    EXPECT_EQ(integrity(file), "ok");
  }
}

TEST(StoreFaults, SeveralProcessesBeginOneStoreAtOnce) {
  constexpr std::size_t kWriters = 6;
  for (int attempt = 0; attempt < 15; ++attempt) {
    const TemporaryDirectory directory;
    const std::filesystem::path file = directory / "store.db";
    std::vector<Child> writers;
    writers.reserve(kWriters);
    for (std::size_t writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        Store store = Store::open(file, Store::Mode::create);
        store.begin_run(small_run("run-" + std::to_string(writer)));
        return 0;
      });
    }
    for (Child& writer : writers) EXPECT_EQ(writer.wait(), 0);
    EXPECT_EQ(Store::open(file, Store::Mode::existing).list_runs().runs.size(), kWriters);
  }
}

TEST(StoreFaults, SeveralProcessesWriteOneStoreAtOnce) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "store.db";
  constexpr int kWriters = 32;
  constexpr int kRounds = 5;
  std::vector<Child> writers;
  writers.reserve(kWriters);
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      const std::string run = "run-" + std::to_string(writer);
      Store store = Store::open(file, Store::Mode::create);
      store.begin_run(small_run(run));
      for (int round = 0; round < kRounds; ++round) store.save_round(run, large_round(round));
      return 0;
    });
  }
  for (Child& writer : writers) EXPECT_EQ(writer.wait(), 0);

  const Store store = Store::open(file, Store::Mode::existing);
  EXPECT_EQ(store.list_runs().runs.size(), std::size_t{kWriters});
  for (int writer = 0; writer < kWriters; ++writer) {
    EXPECT_EQ(whole_rounds(store, "run-" + std::to_string(writer)), std::size_t{kRounds});
  }
  EXPECT_EQ(integrity(file), "ok");
}

TEST(StoreFaults, AStoreHeldByAnotherForTooLongIsBusyAndReadable) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "store.db";
  Store store = Store::open(file, Store::Mode::create);
  store.begin_run(small_run("a"));
  sqlite::Database other(file, sqlite::Database::Mode::existing);
  {
    const sqlite::Transaction held(other, sqlite::Transaction::Kind::write);
    EXPECT_EQ(store.load_run("a").run, small_run("a"));
    try {
      store.save_round("a", large_round(0));
      ADD_FAILURE() << "saved into a store that another process holds";
    } catch (const StoreError& error) {
      EXPECT_EQ(error.fault(), StoreFault::busy);
      EXPECT_EQ(std::string(error.what()),
                file.string() +
                    ": database is locked; try again when the other process has ended, or use "
                    "--store FILE for another file");
    }
  }
  store.save_round("a", large_round(0));
  EXPECT_EQ(whole_rounds(store, "a"), 1U);
}

TEST(StoreFaults, ARoundIsForcedToTheDiskBeforeItCountsAsSaved) {
  const TemporaryDirectory directory;
  Store store = Store::open(directory / "store.db", Store::Mode::create);
  store.begin_run(small_run("a"));
  for (int round = 0; round < 5; ++round) {
    const test::SystemCallLog log;
    store.save_round("a", large_round(round));
    // Something was written, and the last thing that was done is a sync.
    EXPECT_GT(log.writes(), 0U);
    EXPECT_GT(log.syncs(), 0U);
    EXPECT_EQ(log.writes_after_last_sync(), 0U);
  }
}

TEST(StoreFaults, ADiskThatIsFullAtAnyWriteCostsOnlyTheRoundThatWasToBeSaved) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "store.db";
  Store store = Store::open(file, Store::Mode::create);
  store.begin_run(small_run("a"));
  store.save_round("a", large_round(0));
  int refused = 0;
  for (int round = 1; round < 3; ++round) {
    for (bool saved = false; !saved && refused < 1000;) {
      try {
        const test::FullDisk full(static_cast<std::size_t>(refused));
        store.save_round("a", large_round(round));
        saved = true;
      } catch (const StoreError& error) {
        ++refused;
        EXPECT_EQ(error.fault(), StoreFault::full);
        EXPECT_EQ(std::string(error.what()),
                  file.string() +
                      ": database or disk is full; free some space, or use --store FILE on "
                      "another disk");
      }
      EXPECT_EQ(whole_rounds(store, "a"), static_cast<std::size_t>(saved ? round + 1 : round));
    }
  }
  EXPECT_GT(refused, 10);  // a round of 64 kB takes 16 pages of 4 kB
  EXPECT_EQ(integrity(file), "ok");
}

TEST(StoreFaults, ADiskThatIsFullWhenAStoreBeginsLeavesOneThatCanBeBegunLater) {
  const TemporaryDirectory directory;
  const std::filesystem::path file = directory / "store.db";
  int refused = 0;
  for (bool begun = false; !begun && refused < 1000;) {
    try {
      const test::FullDisk full(static_cast<std::size_t>(refused));
      Store::open(file, Store::Mode::create).begin_run(small_run("a"));
      begun = true;
    } catch (const StoreError& error) {
      ++refused;
      EXPECT_EQ(error.fault(), StoreFault::full) << error.what();
    }
  }
  EXPECT_GT(refused, 2);
  EXPECT_TRUE(has_run(Store::open(file, Store::Mode::existing), "a"));
  EXPECT_EQ(integrity(file), "ok");
}

constexpr int kMayNotMount = 77;

// On a file system of 512 kB, in a mount namespace of this process.
int fill_a_small_disk(const std::filesystem::path& directory) {
  const int spaces = CLONE_NEWNS | (::geteuid() == 0 ? 0 : CLONE_NEWUSER);
  if (::unshare(spaces) != 0 || ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("splitbench-test", directory.c_str(), "tmpfs", 0, "size=512k") != 0) {
    return kMayNotMount;
  }
  const std::filesystem::path file = directory / "store.db";
  std::size_t saved = 0;
  const auto save_all = [&](Store& store) {
    for (; saved < 100; ++saved) store.save_round("a", large_round(static_cast<int>(saved)));
  };
  try {
    Store store = Store::open(file, Store::Mode::create);
    store.begin_run(small_run("a"));
    save_all(store);
    return 1;
  } catch (const StoreError& error) {
    if (error.fault() != StoreFault::full) throw;
  }
  if (saved == 0) return 2;
  if (whole_rounds(Store::open(file, Store::Mode::existing), "a") != saved) return 3;
  return integrity(file) == "ok" ? 0 : 4;
}

TEST(StoreFaults, ASmallDiskKeepsEveryRoundThatWasSavedUntilItWasFull) {
  const TemporaryDirectory directory;
  Child child([&] { return fill_a_small_disk(directory.path()); });
  const int code = child.wait();
  if (code == kMayNotMount) GTEST_SKIP() << "may not mount a small file system here";
  EXPECT_EQ(code, 0);
}

// A directory that everyone may read, and its store with one run.
class StoreWithoutRights : public testing::Test {
 protected:
  void SetUp() override {
    Store::open(file, Store::Mode::create).begin_run(small_run("a"));
    ::chmod(file.c_str(), 0444);
  }
  void TearDown() override { ::chmod(directory.path().c_str(), 0755); }

  // The fault that `action` has with the store, in a process that is not root; 98: none.
  int fault_of(const std::function<void()>& action) const {
    Child child([&] {
      test::become_unprivileged();
      try {
        action();
      } catch (const StoreError& error) {
        const bool says_what_to_do =
            std::string(error.what()).find("use --store FILE for a place that can be written") !=
            std::string::npos;
        return says_what_to_do ? static_cast<int>(error.fault()) : 97;
      }
      return 98;
    });
    return child.wait();
  }
  static constexpr int kReadOnly = static_cast<int>(StoreFault::read_only);

  TemporaryDirectory directory;
  std::filesystem::path file = directory / "store.db";
};

TEST_F(StoreWithoutRights, CannotBeMadeInADirectoryThatMayNotBeWritten) {
  ::chmod(directory.path().c_str(), 0555);
  EXPECT_EQ(fault_of([&] { Store::open(directory / "new.db", Store::Mode::create); }), kReadOnly);
  EXPECT_EQ(fault_of([&] { Store::open(directory / "new/new.db", Store::Mode::create); }),
            kReadOnly);
}

TEST_F(StoreWithoutRights, CanBeReadInADirectoryThatMayNotBeWritten) {
  ::chmod(directory.path().c_str(), 0555);
  EXPECT_EQ(fault_of([&] {
              if (Store::open(file, Store::Mode::reading).load_run("a").run != small_run("a")) {
                throw std::runtime_error("the run is not what was saved");
              }
            }),
            98);
}

// What is in the log alone cannot be read there, and leaving it out would be a lie.
TEST_F(StoreWithoutRights, SaysSoWhereTheLastRoundsAreInALogThatCannotBeRead) {
  std::ofstream(file.string() + "-wal") << "frames";
  ::chmod(directory.path().c_str(), 0555);
  Child child([&] {
    test::become_unprivileged();
    try {
      Store::open(file, Store::Mode::reading);
    } catch (const StoreError& error) {
      const bool says_why =
          std::string(error.what()).find("its last rounds are still in") != std::string::npos;
      return says_why && error.fault() == StoreFault::read_only ? 0 : 1;
    }
    return 2;
  });
  EXPECT_EQ(child.wait(), 0);
}

TEST_F(StoreWithoutRights, CannotBeWrittenInADirectoryThatMayNotBeWritten) {
  ::chmod(directory.path().c_str(), 0555);
  EXPECT_EQ(fault_of([&] { Store::open(file, Store::Mode::existing).list_runs(); }), kReadOnly);
}

TEST_F(StoreWithoutRights, CanBeReadButNotWrittenWhereOnlyTheFileIsReadOnly) {
  ::chmod(directory.path().c_str(), 0777);
  EXPECT_EQ(fault_of([&] {
              if (!has_run(Store::open(file, Store::Mode::existing), "a")) {
                throw std::runtime_error("the run is not there");
              }
            }),
            98);
  EXPECT_EQ(
      fault_of([&] { Store::open(file, Store::Mode::existing).save_round("a", large_round(0)); }),
      kReadOnly);
}

}  // namespace
}  // namespace splitbench
