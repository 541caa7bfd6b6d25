#include "model/change_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "model/invalid_input.h"
#include "model/random.h"

namespace splitbench {
namespace {

struct Cut {
  std::size_t first = 0;  // of the right side; 0: no place for a cut
  double gain = 0.0;
};

// Where the scaled energy distance between left and right is largest,
//   m n / (m + n) (2 mean|x - y| - mean|x - x'| - mean|y - y'|),
// the last two over the pairs of different runs. Sums over pairs are carried from one place to the
// next as a run changes sides.
Cut best_cut(std::span<const double> values, std::size_t least_runs) {
  const std::size_t size = values.size();
  double within_left = 0.0;
  double within_right = 0.0;
  double between = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) within_right += std::abs(values[i] - values[j]);
  }
  Cut best;
  for (std::size_t first = 1; first + least_runs <= size; ++first) {
    const double moved = values[first - 1];
    double to_left = 0.0;
    double to_right = 0.0;
    for (const double value : values.first(first - 1)) to_left += std::abs(moved - value);
    for (const double value : values.subspan(first)) to_right += std::abs(moved - value);
    within_left += to_left;
    within_right -= to_right;
    between += to_right - to_left;
    if (first < least_runs) continue;
    const auto m = static_cast<double>(first);
    const auto n = static_cast<double>(size - first);
    const double gain = m * n / (m + n) *
                        (2.0 * between / (m * n) - 2.0 * within_left / (m * (m - 1.0)) -
                         2.0 * within_right / (n * (n - 1.0)));
    if (best.first == 0 || gain > best.gain) best = {first, gain};
  }
  return best;
}

// The share of shuffled copies that gain as much; given up once it is above the rule's.
double share_as_good(std::span<const double> values, double gain, const ChangePointRule& rule,
                     Random& random) {
  const auto copies = static_cast<double>(rule.shuffles + 1);
  std::vector<double> shuffled(values.begin(), values.end());
  std::size_t as_good = 1;
  for (std::size_t i = 0; i < rule.shuffles; ++i) {
    random.shuffle(shuffled);
    if (best_cut(shuffled, rule.least_runs).gain >= gain) ++as_good;
    if (static_cast<double>(as_good) / copies > rule.significance) break;
  }
  return static_cast<double>(as_good) / copies;
}

void search(std::span<const double> values, std::size_t offset, const ChangePointRule& rule,
            Random& random, std::vector<ChangePoint>& found) {
  if (values.size() < 2 * rule.least_runs) return;
  const Cut cut = best_cut(values, rule.least_runs);
  const double significance = share_as_good(values, cut.gain, rule, random);
  if (significance > rule.significance) return;
  search(values.first(cut.first), offset, rule, random, found);
  found.push_back({offset + cut.first, significance});
  search(values.subspan(cut.first), offset + cut.first, rule, random, found);
}

void check(const ChangePointRule& rule) {
  if (!(rule.significance > 0.0 && rule.significance < 1.0)) {
    throw InvalidInput("significance", "expected above 0, below 1");
  }
  if (rule.least_runs < 2) throw InvalidInput("least_runs", "expected at least 2");
  if (1.0 / static_cast<double>(rule.shuffles + 1) > rule.significance) {
    std::array<char, 64> least{};
    std::snprintf(least.data(), least.size(), "expected at least %g, one of %zu shuffled copies",
                  1.0 / static_cast<double>(rule.shuffles + 1), rule.shuffles + 1);
    throw InvalidInput("significance", least.data());
  }
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointRule& rule) {
  check(rule);
  for (const double value : values) {
    if (!std::isfinite(value)) throw InvalidInput("values", "expected finite values");
  }
  Random random(rule.seed);
  std::vector<ChangePoint> found;
  search(values, 0, rule, random, found);
  return found;
}

}  // namespace splitbench
