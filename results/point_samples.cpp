#include "results/point_samples.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>

#include "model/invalid_input.h"
#include "model/wire.h"

namespace splitbench {
namespace {

std::optional<ParameterArm> parameter_arm(const Step& step) {
  const bool one_rank = step.device.has_value();
  switch (step.arm) {
    case Arm::empty:
      return one_rank ? ParameterArm::empty : ParameterArm::empty_all_ranks;
    case Arm::serial:
      return one_rank ? ParameterArm::serial : ParameterArm::serial_all_ranks;
    case Arm::full:
      return ParameterArm::full;
    case Arm::shard:
      return ParameterArm::shard;
    case Arm::shard_alone:
      return ParameterArm::shard_alone;
    case Arm::collective:
      return ParameterArm::collective;
    case Arm::collective_pipelined:
      return ParameterArm::collective_pipelined;
    default:
      return std::nullopt;
  }
}

std::optional<ValidationArm> validation_arm(Arm arm) {
  switch (arm) {
    case Arm::unsplit:
      return ValidationArm::unsplit;
    case Arm::twin:
      return ValidationArm::twin;
    case Arm::split:
      return ValidationArm::split;
    case Arm::split_without_collective:
      return ValidationArm::split_without_collective;
    default:
      return std::nullopt;
  }
}

PointSamples no_samples(const Operation& operation, int ranks) {
  const auto layers = static_cast<int>(operation.layers);
  return {.parameters = {.ranks = ranks,
                         .layers = layers,
                         .wire = wire_bytes(message_bytes(operation), ranks),
                         .sessions = {}},
          .validation = {.ranks = ranks, .layers = layers, .sessions = {}}};
}

// The member with that session number; a new one at the end where there is none.
template <class Session>
Session& of_session(std::vector<Session>& sessions, int number) {
  if (sessions.empty() || sessions.back().session != number) {
    sessions.push_back({});
    sessions.back().session = number;
  }
  return sessions.back();
}

void add_to_sweep(std::vector<SweepSize>& sweep, Bytes wire, const Block& block) {
  const auto same = std::find_if(sweep.begin(), sweep.end(),
                                 [wire](const SweepSize& size) { return size.wire == wire; });
  if (same != sweep.end()) {
    same->blocks.push_back(block);
  } else {
    sweep.push_back({.wire = wire, .blocks = {block}});
  }
}

// Puts blocks where they belong; rounds must come session by session.
class Sorter {
 public:
  explicit Sorter(const Protocol& protocol) : protocol_(protocol), seen_(points()) {
    for (const Operation& operation : protocol.points) {
      samples_.push_back(no_samples(operation, protocol.ranks));
    }
  }

  void add(const RoundRecord& round) {
    for (PointSamples& point : samples_) {
      of_session(point.parameters.sessions, round.session);
      of_session(point.validation.sessions, round.session);
    }
    for (const auto& [step, measured] : round.blocks) {
      if (step.point >= points()) {
        throw InvalidInput("rounds", "expected a point below " + std::to_string(points()) +
                                         ", found " + std::to_string(step.point));
      }
      Block block = measured;
      block.round = round.round;
      block.device = step.device.value_or(0);
      add(step, std::move(block));
    }
  }

  std::vector<PointSamples> finish() && {
    for (std::size_t point = 0; point < points(); ++point) {
      samples_[point].validation.fits_one_device = seen_[point] != Seen::split_alone;
    }
    return std::move(samples_);
  }

 private:
  enum class Seen { nothing, split_alone, whole };

  std::size_t points() const { return protocol_.points.size(); }

  void add(const Step& step, Block block) {
    see(step);
    PointSamples& point = samples_[step.point];
    if (const auto arm = parameter_arm(step)) {
      point.parameters.sessions.back().arms[*arm].push_back(std::move(block));
    } else if (const auto validated = validation_arm(step.arm)) {
      point.validation.sessions.back().arms[*validated].push_back(std::move(block));
    } else {
      add_sweep(step, block);
    }
  }

  void see(const Step& step) {
    Seen& seen = seen_[step.point];
    if (step.arm == Arm::full || step.arm == Arm::unsplit) seen = Seen::whole;
    if (step.arm == Arm::split && seen == Seen::nothing) seen = Seen::split_alone;
  }

  void add_sweep(const Step& step, const Block& block) {
    if (!step.message) {
      throw InvalidInput("rounds", "expected a message size with each step of collective_sweep");
    }
    const Bytes wire = wire_bytes(*step.message, protocol_.ranks);
    const DataType dtype = protocol_.points[step.point].dtype;
    const bool shared = of_the_grid(*step.message, dtype);
    for (std::size_t point = 0; point < points(); ++point) {
      if (point != step.point && !(shared && protocol_.points[point].dtype == dtype)) continue;
      add_to_sweep(samples_[point].parameters.sessions.back().sweep, wire, block);
    }
  }

  // A plan rounds the grid to whole elements.
  bool of_the_grid(Bytes message, DataType dtype) const {
    const auto& grid = protocol_.collective_sweep.grid;
    return std::any_of(grid.begin(), grid.end(), [&](Bytes size) {
      return std::abs((message - size) / element_size(dtype)) < 1.0;
    });
  }

  const Protocol& protocol_;
  std::vector<PointSamples> samples_;
  std::vector<Seen> seen_;
};

}  // namespace

std::vector<PointSamples> point_samples(const Protocol& protocol,
                                        std::span<const RoundRecord> rounds) {
  std::vector<const RoundRecord*> counted;
  for (const RoundRecord& round : rounds) {
    if (round.void_reason.empty()) counted.push_back(&round);
  }
  std::sort(counted.begin(), counted.end(), [](const RoundRecord* a, const RoundRecord* b) {
    return std::tie(a->session, a->round) < std::tie(b->session, b->round);
  });
  Sorter sorter(protocol);
  for (const RoundRecord* round : counted) sorter.add(*round);
  return std::move(sorter).finish();
}

}  // namespace splitbench
