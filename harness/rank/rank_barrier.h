// Where the ranks of one machine wait for each other, in shared memory, and tell each other little
// things.
#pragma once

#include <string>

#include "harness/rank/shared_region.h"
#include "model/quantity.h"

namespace splitbench {

class RankBarrier {
 public:
  // One a rank, made alike on all of them. `patience`: the longest silence of another rank.
  // `yields`: ranks share cores, so waiting gives way.
  RankBarrier(SharedRegion& region, int rank, Seconds patience, bool yields);

  // Returns when every rank has arrived, within tens of nanoseconds of each other: waiting burns
  // the core. Throws HarnessError, naming who is missing, when patience ends.
  void meet();

  // The same for waits of milliseconds and more: waiting sleeps, and leaves the core to others.
  void meet_asleep();

  // Every rank gets what rank 0 passed, through the mailbox. Sleeps while it waits.
  std::string broadcast(const std::string& from_rank_0);

  // Whether every rank says so, through the table of times. Sleeps while it waits.
  bool all_of(bool mine);

 private:
  int first_missing() const;
  void arrive();
  [[noreturn]] void give_up(int missing) const;

  SharedRegion* region_;
  int rank_;
  Seconds patience_;
  bool yields_;
  std::uint64_t meetings_ = 0;
};

}  // namespace splitbench
