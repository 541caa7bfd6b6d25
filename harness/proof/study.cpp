#include "harness/proof/study.h"

#include "model/random.h"

namespace splitbench::proof {

using Json = nlohmann::ordered_json;

Json share_json(const Proportion& proportion) {
  if (proportion.trials == 0) return nullptr;
  const Interval interval = binomial_interval(proportion, 0.95);
  return {{"share", proportion.share()},
          {"interval", {interval.low, interval.high}},
          {"trials", proportion.trials}};
}

Json mean_json(const std::vector<double>& values) {
  const Answer<Estimate> estimate = mean(values, 0.95, "value");
  if (!estimate) return nullptr;
  Json interval = nullptr;
  if (estimate->interval) interval = {estimate->interval->low, estimate->interval->high};
  return {{"value", estimate->value}, {"interval", interval}};
}

std::uint64_t run_seed(const Order& order, std::string_view study, std::size_t part, int run) {
  std::uint64_t key = mix64(order.seed);
  for (const char letter : study) key = mix64(key + static_cast<unsigned char>(letter));
  return mix64(mix64(key + part) + static_cast<std::uint64_t>(run));
}

}  // namespace splitbench::proof
