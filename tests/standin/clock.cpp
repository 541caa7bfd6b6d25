#include "tests/standin/clock.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/standin/scenario.h"
#include "tests/standin/shared_state.h"

namespace splitbench::standin {
namespace {

// The clock holds 9.2e6 s, and what starts before this takes no longer than this.
constexpr double kLastSecond = 4e6;

}  // namespace

Time from_seconds(double seconds) {
  return Time(std::llround(std::min(seconds, kLastSecond) * 1e12));
}

double to_seconds(Time time) {
  return static_cast<double>(time.count()) * 1e-12;
}

bool virtual_time() {
  return scenario().clock == ClockKind::virtual_time;
}

Time device_clock(int device) {
  return virtual_time() ? Time(shared_clock(device).load()) : monotonic_now();
}

void advance_device_clock(int device, Time time) {
  if (!virtual_time()) return;
  if (to_seconds(time) >= kLastSecond) {
    std::fprintf(stderr,
                 "stand-in: the clock of device %d passes %g s; the scenario's times are too "
                 "long\n",
                 device, kLastSecond);
    std::_Exit(2);
  }
  std::atomic<std::int64_t>& clock = shared_clock(device);
  std::int64_t seen = clock.load();
  while (seen < time.count() && !clock.compare_exchange_weak(seen, time.count())) {
  }
}

Time monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

void sleep_until(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto rest = std::chrono::ceil<std::chrono::nanoseconds>(time - seconds);
  const timespec until{.tv_sec = seconds.count(), .tv_nsec = std::min(rest.count(), 999'999'999L)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) != 0) {
  }
}

}  // namespace splitbench::standin
