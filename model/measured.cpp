#include "model/measured.h"

#include <algorithm>

#include "model/sessions.h"

namespace splitbench {
namespace {

using Arm = ValidationArm;

bool stamped(const std::vector<Block>& split) {
  return std::all_of(split.begin(), split.end(),
                     [](const Block& block) { return block.layers > 0; });
}

std::optional<double> less(std::optional<double> time, double cost) {
  if (!time) return std::nullopt;
  return *time - cost;
}

// Around the collective of every layer there are two stamps, and one interval between them.
std::optional<double> split_time(const std::vector<Block>& split, double stamp) {
  const int inside = stamped(split) && !split.empty() ? 2 * split.front().layers : 0;
  return less(session_median(split, longest_rank), inside * stamp);
}

std::optional<double> collectives_in_place(const std::vector<Block>& split, double stamp) {
  if (!stamped(split)) return std::nullopt;
  return less(session_median(split, shortest_by_layer), intervals_by_layer(split) * stamp);
}

SessionMeasured measure_session(const ValidationSession& session, std::optional<int> device,
                                double stamp) {
  const auto blocks = [&session](Arm arm) -> const auto& {
    return session.arms[arm];
  };
  return {.session = session.session,
          .unsplit = session_median(blocks(Arm::unsplit), longest_rank, device),
          .twin = session_median(blocks(Arm::twin), longest_rank, device),
          .split = split_time(blocks(Arm::split), stamp),
          .split_without_collective =
              session_median(blocks(Arm::split_without_collective), longest_rank),
          .collectives_in_place = collectives_in_place(blocks(Arm::split), stamp),
          .split_clock_hz = session_clock_hz(blocks(Arm::split)),
          .without_collective_clock_hz = session_clock_hz(blocks(Arm::split_without_collective))};
}

}  // namespace

std::optional<double> SessionMeasured::speedup() const {
  if (!unsplit || !split || !(*split > 0.0)) return std::nullopt;
  return *unsplit / *split;
}

Measured measure(const ValidationSamples& samples, std::optional<int> device,
                 const StampCosts& stamps, double confidence) {
  using S = SessionMeasured;
  check(samples);
  Measured measured;
  for (const ValidationSession& session : samples.sessions) {
    const auto stamp = stamps.find(session.session);
    measured.sessions.push_back(
        measure_session(session, device, stamp == stamps.end() ? 0.0 : stamp->second));
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
