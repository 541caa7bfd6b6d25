#include "harness/backends/simulated/pace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace splitbench::simulated {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

bool concerns(const Slowdown& slowdown, Work work, std::optional<int> rank) {
  const bool its_work =
      std::find(slowdown.work.begin(), slowdown.work.end(), work) != slowdown.work.end();
  return its_work && (!slowdown.rank || !rank || *slowdown.rank == *rank);
}

// One rate, and until when.
struct Stretch {
  double factor;
  double until;
};

Stretch stretch(const Slowdown& slowdown, double now) {
  const double to = slowdown.to_s.value_or(kForever);
  if (now < slowdown.from_s) return {1.0, slowdown.from_s};
  if (now >= to) return {1.0, kForever};
  if (!slowdown.period_s) return {slowdown.factor, to};
  const double period = *slowdown.period_s;
  double begin = slowdown.from_s + period * std::floor((now - slowdown.from_s) / period);
  if (begin + period <= now) begin += period;  // floor() of a quotient that was rounded down
  const double quiet = begin + slowdown.busy_s;
  if (now < quiet) return {slowdown.factor, std::min({quiet, begin + period, to})};
  return {1.0, std::min(begin + period, to)};
}

}  // namespace

double Pace::duration(Work work, std::optional<int> rank, double now, double seconds) const {
  if (slowdowns_.empty()) return seconds;
  double at = now;
  for (double left = seconds;;) {
    Stretch together{1.0, kForever};
    for (const Slowdown& slowdown : slowdowns_) {
      if (!concerns(slowdown, work, rank)) continue;
      const Stretch one = stretch(slowdown, at);
      together.factor *= one.factor;
      together.until = std::min(together.until, one.until);
    }
    const double room = together.until - at;
    if (left * together.factor <= room) return (at - now) + left * together.factor;
    left -= room / together.factor;
    at = together.until;
  }
}

}  // namespace splitbench::simulated
