// Ranks as threads on one shared region.
#include "harness/rank/rank_barrier.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "harness/backend.h"
#include "harness/rank/heartbeat.h"

namespace splitbench {
namespace {

TEST(RankBarrier, NobodyPassesBeforeEveryoneArrived) {
  constexpr int kRanks = 4;
  constexpr int kMeetings = 200;
  SharedRegion region = SharedRegion::create(kRanks, 0);
  std::atomic<int> arrived{0};
  std::atomic<bool> early{false};
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.emplace_back([&, rank] {
      RankBarrier barrier(region, rank, Seconds(60), true);
      for (int meeting = 1; meeting <= kMeetings; ++meeting) {
        arrived.fetch_add(1);
        if (meeting % 3 == 0) {
          barrier.meet_asleep();
        } else {
          barrier.meet();
        }
        if (arrived.load() < meeting * kRanks) early = true;
        barrier.meet();
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
  EXPECT_FALSE(early);
  EXPECT_EQ(arrived, kRanks * kMeetings);
}

TEST(RankBarrier, NamesTheRankThatDoesNotCome) {
  SharedRegion region = SharedRegion::create(3, 0);
  RankBarrier second(region, 1, Seconds(0.05), true);
  RankBarrier first(region, 0, Seconds(0.05), true);
  std::string said;
  std::thread arrives([&] { EXPECT_THROW(second.meet(), HarnessError); });
  try {
    first.meet_asleep();
  } catch (const HarnessError& error) {
    said = error.what();
  }
  arrives.join();
  EXPECT_EQ(said, "rank 0 waited 0.05 s for rank 2, which did not arrive");
}

// Runs `work` as each of two ranks.
void as_two_ranks(SharedRegion& region, const std::function<void(int, RankBarrier&)>& work) {
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 2; ++rank) {
    ranks.emplace_back([&, rank] {
      RankBarrier barrier(region, rank, Seconds(60), true);
      work(rank, barrier);
    });
  }
  for (std::thread& rank : ranks) rank.join();
}

TEST(RankBarrier, BroadcastWaitsUntilWhatWasThereBeforeIsRead) {
  SharedRegion region = SharedRegion::create(2, 0);
  region.put_mail("orders");
  std::vector<std::string> heard(2);
  std::string orders;
  as_two_ranks(region, [&](int rank, RankBarrier& barrier) {
    if (rank == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      orders = region.mail();
    }
    heard[static_cast<std::size_t>(rank)] = barrier.broadcast(rank == 0 ? "first" : "not asked");
    heard[static_cast<std::size_t>(rank)] += barrier.broadcast(rank == 0 ? ", second" : "");
  });
  EXPECT_EQ(orders, "orders");
  EXPECT_EQ(heard, (std::vector<std::string>{"first, second", "first, second"}));
}

TEST(RankBarrier, AllOfIsTrueWhereEveryRankSaysSo) {
  SharedRegion region = SharedRegion::create(2, 0);
  std::atomic<int> wrong{0};
  as_two_ranks(region, [&](int rank, RankBarrier& barrier) {
    if (!barrier.all_of(true)) ++wrong;
    if (barrier.all_of(rank == 0)) ++wrong;
    if (barrier.all_of(false)) ++wrong;
  });
  EXPECT_EQ(wrong.load(), 0);
}

TEST(SharedRegion, IsTheSameMemoryWhereItIsAttached) {
  SharedRegion made = SharedRegion::create(2, 1000);
  SharedRegion attached = SharedRegion::attach(dup(made.fd()));
  made.put_mail("to all ranks");
  EXPECT_EQ(attached.mail(), "to all ranks");
  attached.times(1)[3] = 4.5;
  EXPECT_EQ(made.times(1)[3], 4.5);
  EXPECT_GE(attached.data().size(), 1000U);
  EXPECT_EQ(attached.data()[999], std::byte{0});
  EXPECT_EQ(attached.ranks(), 2);
}

TEST(SharedRegion, RefusesWhatIsNoSession) {
  char name[] = "/tmp/splitbench-region-XXXXXX";
  const int fd = mkstemp(name);
  ASSERT_GE(fd, 0);
  unlink(name);
  ASSERT_EQ(ftruncate(fd, 64 << 20), 0);
  EXPECT_THROW(SharedRegion::attach(fd), HarnessError);
  EXPECT_THROW(SharedRegion::create(0, 0), HarnessError);
  EXPECT_THROW(SharedRegion::create(100000, 0), HarnessError);
}

TEST(SharedRegion, MailThatDoesNotFitIsRefused) {
  SharedRegion region = SharedRegion::create(1, 0);
  EXPECT_THROW(region.put_mail(std::string(SharedRegion::kMailboxBytes + 1, 'x')), HarnessError);
}

TEST(Activity, HasWordsForWhoeverWaits) {
  EXPECT_EQ(activity_text(activity_of(Phase::verifying)), "verifying results");
  EXPECT_EQ(activity_text(activity_of(Arm::split)), "arm split");
}

// Rank 1 works for three times the patience, and says so all the while.
TEST(RankBarrier, IsPatientWhileTheMissingRankGivesSignsOfLife) {
  for (const bool asleep : {false, true}) {
    SharedRegion region = SharedRegion::create(2, 0);
    std::thread busy([&] {
      const Heartbeat heartbeat(region.status(1));
      for (int i = 0; i < 150; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        heartbeat.beat();
      }
      RankBarrier(region, 1, Seconds(60), true).meet();
    });
    RankBarrier barrier(region, 0, Seconds(0.5), true);
    EXPECT_NO_THROW(asleep ? barrier.meet_asleep() : barrier.meet());
    busy.join();
  }
}

}  // namespace
}  // namespace splitbench
