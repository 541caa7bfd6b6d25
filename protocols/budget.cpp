#include "protocols/budget.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace splitbench {
namespace {

// Each drops one thing and says so, or says nothing where there is nothing left to drop.
using Drop = std::optional<std::string> (*)(Protocol&);

std::optional<std::string> drop_grid_size(Protocol& protocol) {
  std::vector<Bytes>& grid = protocol.collective_sweep.grid;
  const auto largest = std::max_element(grid.begin(), grid.end());
  if (largest == grid.end() || !has_arm(protocol, Arm::collective_sweep)) return std::nullopt;
  const Bytes size = *largest;
  grid.erase(largest);
  return "The collective at " + nlohmann::json(static_cast<std::int64_t>(size.value())).dump() +
         " bytes (coarse grid) was dropped.";
}

std::optional<std::string> drop_sweep_sizes(Protocol& protocol) {
  std::vector<double>& around = protocol.collective_sweep.around;
  std::erase(around, 0.0);  // costs nothing: the collective arm measures it
  if (around.empty() || !has_arm(protocol, Arm::collective_sweep)) return std::nullopt;
  const auto nearer = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const double nearest = std::abs(*std::min_element(around.begin(), around.end(), nearer));
  std::erase_if(around, [&](double exponent) { return std::abs(exponent) == nearest; });
  return "The collective at sizes a factor of " +
         nlohmann::json(std::exp2(nearest)).dump().substr(0, 5) +
         " from the operation's own (sweep) was dropped.";
}

std::optional<std::string> drop_pipelined(Protocol& protocol) {
  if (std::erase(protocol.arms, Arm::collective_pipelined) == 0) return std::nullopt;
  return "The arm collective_pipelined was dropped: nothing says what an all-reduce takes back to "
         "back.";
}

std::optional<std::string> drop_twin(Protocol& protocol) {
  if (std::erase(protocol.arms, Arm::twin) == 0) return std::nullopt;
  return "The arm twin was dropped: the least effect is not checked by an A/A comparison.";
}

std::optional<std::string> drop_point(Protocol& protocol) {
  if (protocol.points.size() == 1) return std::nullopt;
  const Operation point = protocol.points.back();
  protocol.points.pop_back();
  return "The operation with " + std::to_string(point.tokens) + " tokens, d_model " +
         std::to_string(point.d_model) + ", d_ff " + std::to_string(point.d_ff) + ", " +
         std::to_string(point.layers) + " layers in " + std::string(name(point.dtype)) +
         " was dropped.";
}

std::optional<std::string> drop_next(Protocol& protocol) {
  for (const Drop drop :
       {drop_grid_size, drop_sweep_sizes, drop_pipelined, drop_twin, drop_point}) {
    if (auto sentence = drop(protocol)) return sentence;
  }
  return std::nullopt;
}

}  // namespace

Seconds estimated_time(const Protocol& protocol, const PlanCost& cost) {
  Seconds round{};
  for (const Step& step : round_steps(protocol, 0)) round += cost.step(step);
  const Sampling& sampling = protocol.sampling;
  const auto rounds = static_cast<double>(sampling.warmup_rounds + sampling.rounds);
  return cost.once + static_cast<double>(sampling.sessions) * (cost.session + rounds * round);
}

FittedProtocol fit_to_budget(Protocol protocol, const PlanCost& cost, Seconds budget) {
  FittedProtocol fitted;
  fitted.protocol = std::move(protocol);
  const auto too_long = [&] {
    fitted.estimated = estimated_time(fitted.protocol, cost);
    return fitted.estimated > budget;
  };
  while (too_long()) {
    auto sentence = drop_next(fitted.protocol);
    if (!sentence) break;
    fitted.dropped.push_back(std::move(*sentence));
  }
  const auto reduce = [&](std::int64_t& count, std::int64_t least, const std::string& what) {
    const std::int64_t asked = count;
    while (too_long() && count > least) --count;
    if (count == asked) return;
    fitted.dropped.push_back("Of " + std::to_string(asked) + " " + what + " " +
                             std::to_string(count) + " are left.");
  };
  reduce(fitted.protocol.sampling.rounds, kVerdictRounds, "rounds in each session");
  reduce(fitted.protocol.sampling.sessions, kVerdictSessions, "sessions");
  fitted.fits = !too_long();
  return fitted;
}

}  // namespace splitbench
