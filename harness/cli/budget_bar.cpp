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

std::string budget_rows(const std::vector<BudgetRow>& rows) {
  constexpr int kWidth = 52;
  Seconds scale{};
  for (const BudgetRow& row : rows) {
    Seconds total{};
    for (const BudgetTerm& term : row.terms) total += term.time;
    scale = std::max(scale, total);
  }
  std::string text;
  for (const BudgetRow& row : rows) {
    text += fmt::format("  {:<10} |{:<{}}| {}\n", row.label, bar(row.terms, scale, kWidth), kWidth,
                        row.total);
  }
  return text;
}

std::string budget_chart(const SplitParameters& p) {
  const Seconds fixed = static_cast<double>(p.collectives) * p.latency;
  return budget_rows(
             {{"one device", {{'S', p.serial}, {'C', p.compute}}, to_text(one_device_time(p))},
              {"split",
               {{'S', p.serial + p.serial_extra},
                {'C', divided_compute_time(p)},
                {'l', fixed},
                {'=', communication_time(p) - fixed}},
               to_text(split_time(p))}}) +
         "             S serial   C divisible   l collectives, fixed   = collectives, bytes\n";
}

}  // namespace splitbench::cli
