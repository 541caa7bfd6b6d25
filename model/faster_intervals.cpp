#include "model/faster_intervals.h"

#include <cstddef>

namespace splitbench {

std::vector<FasterInterval> faster_intervals(std::span<const double> values,
                                             const std::function<bool(double)>& is_faster,
                                             const Crossing& crossing) {
  std::vector<FasterInterval> intervals;
  bool was_faster = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool now_faster = is_faster(values[i]);
    if (now_faster && !was_faster) {
      const double from = i == 0 ? values[i] : crossing(values[i - 1], values[i]);
      intervals.push_back(
          {.from = from, .to = values[i], .from_is_first = i == 0, .to_is_last = false});
    } else if (!now_faster && was_faster) {
      intervals.back().to = crossing(values[i], values[i - 1]);
    }
    was_faster = now_faster;
  }
  if (was_faster) {
    intervals.back().to = values.back();
    intervals.back().to_is_last = true;
  }
  return intervals;
}

}  // namespace splitbench
