#include "harness/rank/warm_up.h"

#include <algorithm>

#include "model/statistics.h"

namespace splitbench {
namespace {

constexpr std::size_t kRecentRounds = 10;
constexpr double kShareOfBudget = 0.1;
constexpr double kFalseAlarms = 0.05;  // of all steps and sessions of a run together

}  // namespace

WarmUp::WarmUp(const Protocol& protocol, bool time_is_virtual)
    : protocol_(protocol), time_is_virtual_(time_is_virtual) {}

void WarmUp::add(const RoundRecord& round) {
  ++rounds_;
  if (rounds_ <= protocol_.sampling.warmup_rounds) planned_end_ = Clock::now();
  if (rounds_ == 1) return;
  for (const auto& [step, block] : round.blocks) {
    std::vector<RoundTime>& rounds = medians_[kind_of(step)];
    rounds.push_back({.device = block.device, .time = median(block.seconds)});
    if (rounds.size() > kRecentRounds) rounds.erase(rounds.begin());
  }
}

bool WarmUp::is_quiet() const {
  std::vector<std::vector<RoundTime>> steps;
  for (const auto& [kind, rounds] : medians_) steps.push_back(rounds);
  return splitbench::is_quiet(steps,
                              kFalseAlarms / static_cast<double>(protocol_.sampling.sessions),
                              protocol_.acceptance.least_effect);
}

bool WarmUp::wants_more() const {
  const Sampling& sampling = protocol_.sampling;
  const Seconds share = sampling.budget / static_cast<double>(sampling.sessions);
  const std::chrono::duration<double> beyond = Clock::now() - planned_end_;
  const bool time_left = time_is_virtual_ || beyond.count() < kShareOfBudget * share.value();
  return time_left && rounds_ < sampling.warmup_rounds + sampling.rounds && !is_quiet();
}

}  // namespace splitbench
