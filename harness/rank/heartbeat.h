// Signs of life of a rank that is busy for long with one thing: whoever waits for it is patient
// while they come. To be given by the work itself, never by a clock: what hangs must fall silent.
#pragma once

#include "harness/rank/shared_region.h"

namespace splitbench {

class Heartbeat {
 public:
  Heartbeat() = default;  // nobody waits
  explicit Heartbeat(RankStatus& status) : status_(&status) {}

  void beat() const {
    if (status_ != nullptr) status_->beats.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  RankStatus* status_ = nullptr;
};

}  // namespace splitbench
