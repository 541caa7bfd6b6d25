#include "harness/rank/time_table.h"

#include <algorithm>
#include <cmath>

#include "harness/error.h"

namespace splitbench {
namespace {

// One repeat: a row of every rank that ran the step.
class Rows {
 public:
  Rows(SharedRegion& region, const Step& step, int repeat, int layers)
      : width_(1 + static_cast<std::size_t>(layers)) {
    const int first = step.device.value_or(0);
    const int ranks = step.device ? 1 : region.ranks();
    for (int rank = first; rank < first + ranks; ++rank) {
      rows_.push_back(
          region.times(rank).subspan(static_cast<std::size_t>(repeat) * width_, width_));
    }
  }

  bool counts() const {
    return std::none_of(rows_.begin(), rows_.end(),
                        [](std::span<const double> row) { return std::isnan(row[0]); });
  }

  void append_to(Block& block) const {
    for (const auto& row : rows_) block.seconds.push_back(row[0]);
    for (std::size_t layer = 1; layer < width_; ++layer) {
      for (const auto& row : rows_) block.layer_seconds.push_back(row[layer]);
    }
  }

 private:
  std::size_t width_;
  std::vector<std::span<const double>> rows_;
};

}  // namespace

Block block_from_times(SharedRegion& region, const Step& step, int repeats, int layers) {
  Block block{.device = step.device.value_or(0),
              .ranks = step.device ? 1 : region.ranks(),
              .layers = layers};
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Rows rows(region, step, repeat, layers);
    if (rows.counts()) rows.append_to(block);
  }
  if (block.seconds.empty()) throw HarnessError("no repeat started on all ranks together");
  return block;
}

}  // namespace splitbench
