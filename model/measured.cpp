#include "model/measured.h"

#include <algorithm>

#include "model/sessions.h"

namespace splitbench {
namespace {

using Arm = ValidationArm;

std::optional<double> collectives_in_place(const std::vector<Block>& split) {
  const auto stamped = [](const Block& block) { return block.layers > 0; };
  if (!std::all_of(split.begin(), split.end(), stamped)) return std::nullopt;
  return session_median(split, shortest_by_layer);
}

SessionMeasured measure_session(const ValidationSession& session, std::optional<int> device) {
  const auto blocks = [&session](Arm arm) -> const auto& {
    return session.arms[arm];
  };
  return {.session = session.session,
          .unsplit = session_median(blocks(Arm::unsplit), longest_rank, device),
          .twin = session_median(blocks(Arm::twin), longest_rank, device),
          .split = session_median(blocks(Arm::split), longest_rank),
          .split_without_collective =
              session_median(blocks(Arm::split_without_collective), longest_rank),
          .collectives_in_place = collectives_in_place(blocks(Arm::split)),
          .split_clock_hz = session_clock_hz(blocks(Arm::split)),
          .without_collective_clock_hz = session_clock_hz(blocks(Arm::split_without_collective))};
}

}  // namespace

std::optional<double> SessionMeasured::speedup() const {
  if (!unsplit || !split || !(*split > 0.0)) return std::nullopt;
  return *unsplit / *split;
}

Measured measure(const ValidationSamples& samples, std::optional<int> device, double confidence) {
  using S = SessionMeasured;
  check(samples);
  Measured measured;
  for (const ValidationSession& session : samples.sessions) {
    measured.sessions.push_back(measure_session(session, device));
  }
  const auto over_sessions = [&](auto value, std::string_view what) {
    return log_mean(present(measured.sessions, value), confidence, what);
  };
  measured.t1 = over_sessions(&S::unsplit, "T1");
  measured.tn = over_sessions(&S::split, "T_N");
  measured.speedup = over_sessions(&S::speedup, "speedup");
  return measured;
}

}  // namespace splitbench
