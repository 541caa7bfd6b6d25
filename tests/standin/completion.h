// The end of an operation, waited for by hosts and by other streams.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "tests/standin/clock.h"

namespace splitbench::standin {

class Completion {
 public:
  void finish(Time end) {
    {
      const std::lock_guard lock(mutex_);
      end_ = end;
    }
    finished_.notify_all();
  }
  // The time on the device's clock at which it ended.
  Time wait() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return end_.has_value(); });
    return *end_;
  }
  std::optional<Time> end() const {
    const std::lock_guard lock(mutex_);
    return end_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable finished_;
  std::optional<Time> end_;
};

}  // namespace splitbench::standin
