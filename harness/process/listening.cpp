#include "harness/process/listening.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace splitbench {

Heard listen_to(int fd, const std::chrono::steady_clock::time_point& until,
                const std::function<bool(std::string_view bytes)>& take) {
  using Clock = std::chrono::steady_clock;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    if (left.count() <= 0) return Heard::nothing;
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000))) <= 0) {
      continue;
    }
    char bytes[4096];
    const ssize_t count = read(fd, bytes, sizeof bytes);
    if (count == 0) return Heard::end;
    if (count > 0 && take({bytes, static_cast<std::size_t>(count)})) return Heard::all;
  }
}

}  // namespace splitbench
