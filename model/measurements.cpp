#include "model/measurements.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "model/invalid_input.h"
#include "model/statistics.h"

namespace splitbench {
namespace {

// What an arm's blocks must look like.
struct Shape {
  int ranks;
  int layers;             // allowed number, where stamped
  bool layers_mandatory;  // and whether they must be
};

[[noreturn]] void refuse(const std::string& where, const std::string& expected) {
  throw InvalidInput("samples", where + ": expected " + expected);
}

void require_times(std::span<const double> seconds, const std::string& where) {
  for (double value : seconds) {
    if (!(value >= 0.0) || std::isinf(value)) refuse(where, "finite times of at least 0 s");
  }
}

void check(const Block& block, const Shape& shape, const std::string& arm) {
  const std::string where = arm + ", round " + std::to_string(block.round);
  if (block.ranks != shape.ranks) refuse(where, std::to_string(shape.ranks) + " ranks");
  if (block.seconds.empty() || block.seconds.size() % static_cast<std::size_t>(block.ranks) != 0) {
    refuse(where, "at least one repeat, with a time for each of its ranks");
  }
  if (block.layers != shape.layers && (block.layers != 0 || shape.layers_mandatory)) {
    refuse(where, "stamps of " + std::to_string(shape.layers) + " layers");
  }
  if (block.layer_seconds.size() != block.seconds.size() * static_cast<std::size_t>(block.layers)) {
    refuse(where, "a time for each repeat, layer and rank");
  }
  require_times(block.seconds, where);
  require_times(block.layer_seconds, where);
  if (block.clock_hz && !(*block.clock_hz > 0.0 && std::isfinite(*block.clock_hz))) {
    refuse(where, "a clock above 0 Hz, or none");
  }
}

void check_blocks(std::span<const Block> blocks, const Shape& shape, const std::string& arm) {
  for (const Block& block : blocks) check(block, shape, arm);
}

void check_counts(int ranks, int layers) {
  if (ranks < 2) throw InvalidInput("ranks", "expected at least 2: one rank splits nothing");
  if (layers < 1) throw InvalidInput("layers", "expected at least 1");
}

Shape shape(ParameterArm arm, const ParameterSamples& samples) {
  switch (arm) {
    case ParameterArm::serial_all_ranks:
    case ParameterArm::shard:
      return {samples.ranks, samples.layers, true};
    case ParameterArm::empty_all_ranks:
    case ParameterArm::collective:
    case ParameterArm::collective_pipelined:
      return {samples.ranks, 0, false};
    case ParameterArm::serial:
    case ParameterArm::shard_alone:
      return {1, samples.layers, false};
    case ParameterArm::empty:
    case ParameterArm::full:
      break;
  }
  return {1, 0, false};
}

Shape shape(ValidationArm arm, const ValidationSamples& samples) {
  switch (arm) {
    case ValidationArm::split:
    case ValidationArm::split_without_collective:
      return {samples.ranks, samples.layers, false};
    case ValidationArm::unsplit:
    case ValidationArm::twin:
      break;
  }
  return {1, 0, false};
}

// The sessions' arms, alike in both kinds of samples.
template <class Samples, class Arms>
void check_sessions(const Samples& samples, const Arms& arms) {
  check_counts(samples.ranks, samples.layers);
  std::set<int> seen;
  for (const auto& session : samples.sessions) {
    const std::string where = "session " + std::to_string(session.session);
    if (!seen.insert(session.session).second) refuse(where, "each session once");
    for (const auto arm : arms) {
      check_blocks(session.arms[arm], shape(arm, samples), where + ", " + std::string(name(arm)));
    }
  }
}

std::span<const double> row(std::span<const double> values, std::size_t index, int width) {
  const auto count = static_cast<std::size_t>(width);
  return values.subspan(index * count, count);
}

using Choice = double (*)(std::span<const double> ranks);

double largest(std::span<const double> ranks) {
  return *std::max_element(ranks.begin(), ranks.end());
}

double smallest(std::span<const double> ranks) {
  return *std::min_element(ranks.begin(), ranks.end());
}

double by_layer(const Block& block, std::size_t repeat, Choice choice) {
  if (block.layers == 0) return choice(row(block.seconds, repeat, block.ranks));
  const auto layers = static_cast<std::size_t>(block.layers);
  double sum = 0.0;
  for (std::size_t layer = 0; layer < layers; ++layer) {
    sum += choice(row(block.layer_seconds, repeat * layers + layer, block.ranks));
  }
  return sum;
}

std::optional<double> median_if_any(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  return median(std::move(values));
}

}  // namespace

std::string_view name(ParameterArm arm) {
  switch (arm) {
    case ParameterArm::empty:
      return "empty";
    case ParameterArm::empty_all_ranks:
      return "empty_all_ranks";
    case ParameterArm::serial:
      return "serial";
    case ParameterArm::serial_all_ranks:
      return "serial_all_ranks";
    case ParameterArm::full:
      return "full";
    case ParameterArm::shard:
      return "shard";
    case ParameterArm::shard_alone:
      return "shard_alone";
    case ParameterArm::collective:
      return "collective";
    case ParameterArm::collective_pipelined:
      return "collective_pipelined";
  }
  return "unknown";
}

std::string_view name(ValidationArm arm) {
  switch (arm) {
    case ValidationArm::unsplit:
      return "unsplit";
    case ValidationArm::twin:
      return "twin";
    case ValidationArm::split:
      return "split";
    case ValidationArm::split_without_collective:
      return "split_without_collective";
  }
  return "unknown";
}

void check(const ParameterSamples& samples) {
  check_sessions(samples, kParameterArms);
  if (!(samples.wire.value() > 0.0) || std::isinf(samples.wire.value())) {
    throw InvalidInput("wire", "expected a finite number of bytes above 0");
  }
  for (const ParameterSession& session : samples.sessions) {
    for (const SweepSize& size : session.sweep) {
      const std::string where = "session " + std::to_string(session.session) + ", sweep";
      if (!(size.wire.value() > 0.0) || std::isinf(size.wire.value())) {
        refuse(where, "sizes above 0 bytes");
      }
      check_blocks(size.blocks, {samples.ranks, 0, false}, where);
    }
  }
}

void check(const ValidationSamples& samples) {
  check_sessions(samples, kValidationArms);
}

double longest_rank(const Block& block, std::size_t repeat) {
  return largest(row(block.seconds, repeat, block.ranks));
}

double shortest_rank(const Block& block, std::size_t repeat) {
  return smallest(row(block.seconds, repeat, block.ranks));
}

double longest_by_layer(const Block& block, std::size_t repeat) {
  return by_layer(block, repeat, largest);
}

double shortest_by_layer(const Block& block, std::size_t repeat) {
  return by_layer(block, repeat, smallest);
}

Reading reading(ParameterArm arm) {
  const bool divided_in_layers = arm == ParameterArm::serial ||
                                 arm == ParameterArm::serial_all_ranks ||
                                 arm == ParameterArm::shard || arm == ParameterArm::shard_alone;
  return divided_in_layers ? longest_by_layer : longest_rank;
}

double block_median(const Block& block, Reading reading) {
  std::vector<double> values(block.repeats());
  for (std::size_t repeat = 0; repeat < values.size(); ++repeat) {
    values[repeat] = reading(block, repeat);
  }
  return median(std::move(values));
}

std::optional<double> session_median(std::span<const Block> blocks, Reading reading,
                                     std::optional<int> device) {
  std::vector<double> medians;
  for (const Block& block : blocks) {
    if (!device || block.device == *device) medians.push_back(block_median(block, reading));
  }
  return median_if_any(std::move(medians));
}

int intervals_by_layer(std::span<const Block> blocks) {
  return blocks.empty() || blocks.front().layers == 0 ? 1 : blocks.front().layers;
}

std::optional<double> session_clock_hz(std::span<const Block> blocks) {
  std::vector<double> clocks;
  for (const Block& block : blocks) {
    if (block.clock_hz) clocks.push_back(*block.clock_hz);
  }
  return median_if_any(std::move(clocks));
}

}  // namespace splitbench
