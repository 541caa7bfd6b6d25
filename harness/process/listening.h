// Waiting for what a process says, no longer than until a point in time.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace splitbench {

enum class Heard {
  all,      // `take` had what it wanted
  nothing,  // more, until the deadline
  end,      // the other end is closed
};

// Passes on what comes from `fd`, as it comes, until `take` says that it was all. `until` is looked
// at again after each piece: `take` may move it. Throws what `take` throws.
Heard listen_to(int fd, const std::chrono::steady_clock::time_point& until,
                const std::function<bool(std::string_view bytes)>& take);

}  // namespace splitbench
