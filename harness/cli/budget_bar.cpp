#include "harness/cli/budget_bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/quantity_text.h"

namespace splitbench::cli {

std::string bar(const std::vector<BudgetTerm>& terms, Seconds full_scale, int width) {
  std::string text;
  if (full_scale.value() <= 0.0) return text;
  Seconds so_far{};
  for (const BudgetTerm& term : terms) {
    so_far += term.time;
    const double share = std::clamp(so_far / full_scale, 0.0, 1.0);
    const auto end = static_cast<std::size_t>(std::lround(share * width));
    if (end > text.size()) text.append(end - text.size(), term.symbol);
  }
  return text;
}

std::string budget_chart(const SplitParameters& p) {
  constexpr int kWidth = 52;
  const Seconds whole = one_device_time(p);
  const Seconds split = split_time(p);
  const Seconds scale = std::max(whole, split);
  const Seconds fixed = static_cast<double>(p.collectives) * p.latency;
  const std::string whole_bar = bar({{'S', p.serial}, {'C', p.compute}}, scale, kWidth);
  const std::string split_bar = bar({{'S', p.serial + p.serial_extra},
                                     {'C', divided_compute_time(p)},
                                     {'l', fixed},
                                     {'=', communication_time(p) - fixed}},
                                    scale, kWidth);
  return fmt::format(
      "  one device |{:<{}}| {}\n"
      "  split      |{:<{}}| {}\n"
      "             S serial   C divisible   l collectives, fixed   = collectives, bytes\n",
      whole_bar, kWidth, to_text(whole), split_bar, kWidth, to_text(split));
}

}  // namespace splitbench::cli
