#include "model/summary.h"

#include <algorithm>
#include <numeric>

namespace splitbench {
namespace {

constexpr std::size_t kSamplesForP99 = 100;

}  // namespace

Answer<Summary> summarize(std::span<const std::vector<Block>* const> sessions, Reading reading,
                          double confidence) {
  std::vector<double> pooled;
  std::vector<double> session_values;
  for (const std::vector<Block>* blocks : sessions) {
    if (const auto value = session_median(*blocks, reading)) session_values.push_back(*value);
    for (const Block& block : *blocks) {
      for (std::size_t r = 0; r < block.repeats(); ++r) pooled.push_back(reading(block, r));
    }
  }
  if (pooled.empty()) return Answer<Summary>::none("not measured");
  std::sort(pooled.begin(), pooled.end());
  return Summary{.median = median(pooled),
                 .mean = std::accumulate(pooled.begin(), pooled.end(), 0.0) /
                         static_cast<double>(pooled.size()),
                 .p05 = quantile(pooled, 0.05),
                 .p25 = quantile(pooled, 0.25),
                 .p75 = quantile(pooled, 0.75),
                 .p95 = quantile(pooled, 0.95),
                 .p99 = pooled.size() < kSamplesForP99
                            ? Answer<double>::none("fewer than 100 samples")
                            : Answer<double>(quantile(pooled, 0.99)),
                 .samples = pooled.size(),
                 .sessions = session_values.size(),
                 .typical = *log_mean(session_values, confidence, "arm")};
}

}  // namespace splitbench
