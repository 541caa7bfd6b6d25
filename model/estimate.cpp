#include "model/estimate.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <span>

#include "model/pooled_sweep.h"
#include "model/sessions.h"

namespace splitbench {
namespace {

using Arm = ParameterArm;

std::optional<double> difference(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a - *b;
}

// Among devices that ran `full` in as many sessions as any did, the one with the least log mean.
std::optional<int> faster_device(const ParameterSamples& samples) {
  std::set<int> devices;
  for (const ParameterSession& session : samples.sessions) {
    for (const Block& block : session.arms[Arm::full]) devices.insert(block.device);
  }
  std::optional<int> faster;
  std::size_t most_sessions = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int device : devices) {
    const std::vector<double> times =
        present(samples.sessions, [device](const ParameterSession& session) {
          return session_median(session.arms[Arm::full], longest_rank, device);
        });
    const double typical = log_mean(times, 0.95, "full").value().value;
    if (times.size() > most_sessions || (times.size() == most_sessions && typical < least)) {
      faster = device;
      most_sessions = times.size();
      least = typical;
    }
  }
  return faster;
}

// The collective's times at other sizes than V, less e.
std::vector<SizeTime> session_sweep(const ParameterSession& session, Bytes wire) {
  const std::optional<double> empty =
      session_median(session.arms[Arm::empty_all_ranks], reading(Arm::empty_all_ranks));
  if (!empty) return {};
  std::vector<SizeTime> points;
  for (const SweepSize& size : session.sweep) {
    if (const auto time = session_median(size.blocks, longest_rank)) {
      points.push_back({size.wire, Seconds(*time - *empty)});
    }
  }
  return without_size(wire, points);
}

std::vector<CollectiveSegment> sweep_segments(const ParameterSamples& samples) {
  std::vector<std::vector<SizeTime>> sweeps;
  for (const ParameterSession& session : samples.sessions) {
    sweeps.push_back(session_sweep(session, samples.wire));
  }
  const PooledSweep sweep = pool(sweeps);
  return find_segments(sweep.times, std::max(kSizeNoise, sweep.noise));
}

// Around V, and no further than the segment that holds it.
Answer<CollectiveLine> session_line(const ParameterSession& session, Bytes wire,
                                    std::span<const CollectiveSegment> segments) {
  using None = Answer<CollectiveLine>;
  if (session.arms[Arm::empty_all_ranks].empty()) {
    return None::none("the arm empty_all_ranks was not measured");
  }
  const std::vector<SizeTime> around = points_around(wire, session_sweep(session, wire));
  if (segments.empty()) return fit_line(around);
  const Answer<CollectiveSegment> segment = segment_at(wire, segments);
  return segment ? fit_line(points_in(*segment, around)) : None::none(segment.reason());
}

// The longest of the devices, as of the ranks in C_shard: each by its own median, less its own e.
// Nothing where a device did not run it.
std::optional<double> longest_alone(const ParameterSession& session, int devices) {
  const auto& blocks = session.arms[Arm::shard_alone];
  std::optional<double> longest;
  for (int device = 0; device < devices; ++device) {
    const auto time = session_median(blocks, reading(Arm::shard_alone), device);
    const auto empty = session_median(session.arms[Arm::empty], reading(Arm::empty), device);
    if (!time || !empty) return std::nullopt;
    const double alone = *time - intervals_by_layer(blocks) * *empty;
    longest = std::max(longest.value_or(alone), alone);
  }
  return longest;
}

SessionEstimate estimate_session(const ParameterSession& session, const ParameterSamples& samples,
                                 std::optional<int> device,
                                 std::span<const CollectiveSegment> segments) {
  const auto raw = [&session](Arm arm, std::optional<int> on = std::nullopt) {
    return session_median(session.arms[arm], reading(arm), on);
  };
  const std::optional<double> one = raw(Arm::empty, device);
  const std::optional<double> all = raw(Arm::empty_all_ranks);
  const std::optional<double> shortest =
      session_median(session.arms[Arm::collective], shortest_rank);
  // Less the fixed cost of every interval that was summed.
  const auto work = [&](Arm arm, std::optional<double> empty,
                        std::optional<int> on = std::nullopt) -> std::optional<double> {
    const std::optional<double> time = raw(arm, on);
    if (!time || !empty) return std::nullopt;
    return *time - intervals_by_layer(session.arms[arm]) * *empty;
  };
  // Q collectives share the stamps.
  const auto one_of = [&samples](std::optional<double> fixed) -> std::optional<double> {
    if (!fixed) return std::nullopt;
    return *fixed / samples.layers;
  };
  return {.session = session.session,
          .empty = one,
          .empty_all_ranks = all,
          .serial = work(Arm::serial, one, device),
          .serial_all_ranks = work(Arm::serial_all_ranks, all),
          .compute = work(Arm::full, one, device),
          .shard = work(Arm::shard, all),
          .shard_alone = longest_alone(session, samples.ranks),
          .collective = work(Arm::collective, all),
          .collective_shortest = difference(shortest, all),
          .collective_pipelined = difference(raw(Arm::collective_pipelined), one_of(all)),
          .line = session_line(session, samples.wire, segments),
          .clock_hz = session_clock_hz(session.arms[Arm::shard])};
}

// What the break-evens weigh against each other, of sessions that have all of it.
struct Balance {
  std::vector<double> compute;    // C
  std::vector<double> gain;       // 1 - 1/(N eta), the share of C that dividing saves
  std::vector<double> cost;       // Q H + X, what splitting adds
  std::vector<double> for_bytes;  // what one collective may spend on its bytes
};

Balance balance(const std::vector<SessionEstimate>& sessions, const ParameterSamples& samples) {
  const double collectives = samples.layers;
  Balance sides;
  for (const SessionEstimate& s : sessions) {
    const std::optional<double> efficiency = s.efficiency(samples.ranks);
    const std::optional<double> extra = s.serial_extra();
    if (!efficiency || !extra || !s.collective) continue;
    sides.compute.push_back(*s.compute);
    sides.gain.push_back(1.0 - 1.0 / (samples.ranks * *efficiency));
    sides.cost.push_back(collectives * *s.collective + *extra);
    if (!s.line) continue;
    const double saved = (*s.compute - *s.shard - *extra) / collectives;
    sides.for_bytes.push_back(saved - s.line.value().latency.value());
  }
  return sides;
}

double average(const std::vector<double>& values) {
  return mean(values, 0.95, "value").value().value;
}

// x of a = x b: the ratio of the means, and the set around it; transformed by `shown`.
struct Ratio {
  Answer<double> value;
  Answer<RealSet> set;
};

Ratio ratio(const std::vector<double>& a, const std::vector<double>& b, double confidence,
            const std::string& no_value) {
  if (a.empty()) {
    const std::string reason = "no session has all the arms it takes";
    return {Answer<double>::none(reason), Answer<RealSet>::none(reason)};
  }
  const bool exists = average(b) > 0.0 && average(a) > 0.0;
  return {exists ? Answer<double>(average(a) / average(b)) : Answer<double>::none(no_value),
          a.size() < 2 ? Answer<RealSet>::none("one session has no interval; 2 are needed")
                       : Answer<RealSet>(not_negative(root_set(a, b, confidence)))};
}

BreakEven directly(const Ratio& ratio) {
  return {ratio.value, ratio.set};
}

// k / x for the value and the set.
BreakEven inverse(double k, const Ratio& ratio) {
  return {ratio.value ? Answer<double>(k / *ratio.value) : ratio.value,
          ratio.set ? Answer<RealSet>(divided_by(k, *ratio.set)) : ratio.set};
}

void estimate_break_evens(Parameters& result, const ParameterSamples& samples, double confidence) {
  const Balance sides = balance(result.sessions, samples);
  result.break_even_compute = directly(
      ratio(sides.cost, sides.gain, confidence,
            "no finite break-even: either dividing the work saves no time, or splitting costs "
            "none"));
  const std::vector<double> ones(sides.for_bytes.size(), 1.0);
  result.min_bandwidth =
      inverse(samples.wire.value(),
              ratio(sides.for_bytes, ones, confidence,
                    "what dividing the work saves does not even pay the fixed costs: no bandwidth "
                    "is enough"));
  std::vector<double> left(sides.compute.size());  // C - H - X
  std::transform(sides.compute.begin(), sides.compute.end(), sides.cost.begin(), left.begin(),
                 std::minus<>());
  result.min_efficiency =
      inverse(1.0 / samples.ranks,
              ratio(left, sides.compute, confidence,
                    "communication alone takes as long as the whole compute: no efficiency is "
                    "enough"));
}

void estimate_line(Parameters& result, Bytes wire, double confidence) {
  const auto& sessions = result.sessions;
  const auto of_line = [&sessions](auto value) {
    return present(sessions, [value](const SessionEstimate& s) -> std::optional<double> {
      if (!s.line) return std::nullopt;
      return value(*s.line);
    });
  };
  const auto latencies = of_line([](const CollectiveLine& l) { return l.latency.value(); });
  const auto bandwidths = of_line([](const CollectiveLine& l) { return l.bandwidth.value(); });
  const auto smallest = of_line([](const CollectiveLine& l) { return l.smallest.value(); });
  const auto largest = of_line([](const CollectiveLine& l) { return l.largest.value(); });
  const auto errors = of_line([](const CollectiveLine& l) { return l.max_relative_error; });
  result.latency = mean(latencies, confidence, "latency");
  result.bandwidth = log_mean(bandwidths, confidence, "bandwidth");
  result.collective_from_line = log_mean(
      present(sessions, [wire](const SessionEstimate& s) { return s.collective_from_line(wire); }),
      confidence, "collective_from_line");
  if (latencies.size() < sessions.size()) {
    const auto refused = std::find_if(sessions.begin(), sessions.end(),
                                      [](const SessionEstimate& s) { return !s.line; });
    result.notes.push_back(std::to_string(sessions.size() - latencies.size()) + " of " +
                           std::to_string(sessions.size()) +
                           " sessions have no line of the collective: " + refused->line.reason());
  }
  if (result.bimodal) {
    result.notes.emplace_back(
        "bimodal: the collective's own size is within a quarter octave of where its line breaks, "
        "so that it may follow another line in another run");
  }
  if (latencies.empty()) return;
  result.valid_for_bytes = Interval{*std::max_element(smallest.begin(), smallest.end()),
                                    *std::min_element(largest.begin(), largest.end())};
  result.line_max_relative_error = *std::max_element(errors.begin(), errors.end());
}

void note_negative(Parameters& result, std::string_view what,
                   std::optional<double> SessionEstimate::*value) {
  const auto values = present(result.sessions, value);
  const auto count = std::count_if(values.begin(), values.end(), [](double v) { return v < 0.0; });
  if (count == 0) return;
  result.notes.push_back(std::string(what) + " is below the fixed cost of the stamps in " +
                         std::to_string(count) + " of " + std::to_string(values.size()) +
                         " sessions: too short for this clock, kept as measured");
}

}  // namespace

std::optional<double> SessionEstimate::serial_extra() const {
  return difference(serial_all_ranks, serial);
}

std::optional<double> SessionEstimate::collective_from_line(Bytes wire) const {
  if (!line) return std::nullopt;
  const Answer<Seconds> time = line->at(wire);
  if (!time) return std::nullopt;
  return time->value();
}

std::optional<double> SessionEstimate::efficiency(int ranks) const {
  if (!compute || !shard || !(*compute > 0.0) || !(*shard > 0.0)) return std::nullopt;
  return *compute / (ranks * *shard);
}

Parameters estimate(const ParameterSamples& samples, double confidence) {
  check(samples);
  Parameters result;
  result.device = faster_device(samples);
  const std::vector<CollectiveSegment> segments = sweep_segments(samples);
  result.segments = segments.empty() ? no_segments("fewer than 3 sizes in every session")
                                     : Answer<std::vector<CollectiveSegment>>(segments);
  result.bimodal = near_break(samples.wire, segments);
  for (const ParameterSession& session : samples.sessions) {
    result.sessions.push_back(estimate_session(session, samples, result.device, segments));
  }
  const auto over_sessions = [&result, confidence](auto value, std::string_view what) {
    return log_mean(present(result.sessions, value), confidence, what);
  };
  using S = SessionEstimate;
  result.empty = over_sessions(&S::empty, "empty");
  result.empty_all_ranks = over_sessions(&S::empty_all_ranks, "empty_all_ranks");
  result.serial = over_sessions(&S::serial, "serial");
  result.serial_extra =
      mean(present(result.sessions, &S::serial_extra), confidence, "serial_extra");
  result.compute = over_sessions(&S::compute, "compute");
  result.shard = over_sessions(&S::shard, "shard");
  result.shard_alone = over_sessions(&S::shard_alone, "shard_alone");
  if (!result.shard_alone) {
    result.shard_alone =
        Answer<Estimate>::none("shard_alone: no session ran it on every device; that takes " +
                               std::to_string(samples.ranks) + " rounds, one a device");
  }
  result.efficiency =
      over_sessions([&samples](const S& s) { return s.efficiency(samples.ranks); }, "efficiency");
  result.collective = over_sessions(&S::collective, "collective");
  result.collective_shortest = over_sessions(&S::collective_shortest, "collective");
  result.collective_pipelined = over_sessions(&S::collective_pipelined, "collective_pipelined");
  estimate_line(result, samples.wire, confidence);
  estimate_break_evens(result, samples, confidence);
  note_negative(result, "the serial part", &S::serial);
  note_negative(result, "the serial part on all ranks", &S::serial_all_ranks);
  note_negative(result, "the compute", &S::compute);
  note_negative(result, "the shard", &S::shard);
  note_negative(result, "the collective", &S::collective);
  return result;
}

Parameters no_parameters(const ParameterSamples& samples, const std::string& reason) {
  using P = Parameters;
  Parameters result;
  result.device = faster_device(samples);
  for (const auto parameter :
       {&P::empty, &P::empty_all_ranks, &P::serial, &P::serial_extra, &P::compute, &P::shard,
        &P::shard_alone, &P::efficiency, &P::collective, &P::collective_shortest,
        &P::collective_pipelined, &P::latency, &P::bandwidth, &P::collective_from_line}) {
    result.*parameter = Answer<Estimate>::none(reason);
  }
  for (const auto break_even : {&P::break_even_compute, &P::min_bandwidth, &P::min_efficiency}) {
    result.*break_even = {Answer<double>::none(reason), Answer<RealSet>::none(reason)};
  }
  result.segments = no_segments(reason);
  result.valid_for_bytes = Answer<Interval>::none(reason);
  result.line_max_relative_error = Answer<double>::none(reason);
  return result;
}

}  // namespace splitbench
