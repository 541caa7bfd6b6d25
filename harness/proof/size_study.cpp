#include "harness/proof/size_study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "harness/backends/simulated/simulation.h"
#include "model/collective_segments.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSessions = 6;
constexpr double kMicrosecond = 1e-6;

// An all-reduce in the shape of those on two H100 of one node, with two switches of protocol, the
// second a jump; V, 256 KiB, lies between them. Two ranks: V is the message.
Setup sizes() {
  Setup setup = worked_setup();
  setup.operation = {.tokens = 64, .d_model = 1024, .d_ff = 4096, .layers = 4};
  setup.scenario.collective = {
      {64e3, 6e-6, 60e9}, {1e6, 7.5e-6, 140e9}, {std::nullopt, 18e-6, 320e9}};
  setup.scenario.stamp_s = setup.scenario.stamp_all_ranks_s = 0.5e-6;
  setup.scenario.noise = {.session = {.machine = 0.02, .work = 0.01, .arm = 0.01},
                          .state = {.sd = 0.01, .autocorrelation = 0.0}};
  setup.grid.clear();
  for (int power = 12; power <= 26; ++power) setup.grid.emplace_back(std::ldexp(1.0, power));
  return setup;
}

// Geometric means over sessions, less e; V is not among them. Each session has an order of its own.
std::vector<SizeTime> measured(const PointSamples& samples, const Parameters& found) {
  std::map<Bytes, std::vector<double>> times;
  const auto& sessions = samples.parameters.sessions;
  for (std::size_t s = 0; s < sessions.size(); ++s) {
    for (const SweepSize& size : sessions[s].sweep) {
      times[size.wire].push_back(*session_median(size.blocks, longest_rank) -
                                 *found.sessions[s].empty_all_ranks);
    }
  }
  std::vector<SizeTime> points;
  for (const auto& [size, of_sessions] : times) {
    points.push_back({size, Seconds(log_mean(of_sessions, 0.95, "time")->value)});
  }
  return without_size(samples.parameters.wire, points);
}

Json microseconds(const Answer<CollectiveLine>& line, Bytes size) {
  if (!line || !line->at(size)) return nullptr;
  return line->at(size)->value() / kMicrosecond;
}

Json microseconds(const Answer<Estimate>& time) {
  if (!time || !time->interval) return nullptr;
  return {{"value", time->value / kMicrosecond},
          {"interval", {time->interval->low / kMicrosecond, time->interval->high / kMicrosecond}}};
}

// What is said of one size. `line`: microseconds by the line that holds there.
Json row(const Setup& setup, const SizeTime& point, const char* role, const Json& segment,
         const Json& line, const Answer<CollectiveLine>& one_line) {
  const double truth =
      simulated::collective_seconds(setup.scenario, point.wire.value(), setup.ranks);
  return {{"V, bytes", std::llround(point.wire.value())},
          {"role", role},
          {"segment", segment},
          {"measured, us", point.time.value() / kMicrosecond},
          {"true, us", truth / kMicrosecond},
          {"line, us", line},
          {"one line, us", microseconds(one_line, point.wire)}};
}

// 1, 2, ... ascending with size; null between two.
Json number_of(Bytes size, const std::vector<CollectiveSegment>& segments) {
  const auto held = std::find_if(segments.begin(), segments.end(),
                                 [size](const auto& segment) { return segment.holds(size); });
  if (held == segments.end()) return nullptr;
  return held - segments.begin() + 1;
}

}  // namespace

std::vector<Study> collective_over_sizes(const Order& order, Ticker& ticker) {
  Study study{.name = "a collective over sizes",
              .about =
                  "One run of 6 sessions of an all-reduce with two switches of protocol: the "
                  "segments found without V, the line of each, the line around V with its 95 % "
                  "interval, and one line for all sizes. An illustration, of one seed."};
  ticker.begin("sizes", 1);
  const Setup setup = sizes();
  const PointSamples samples = simulated_samples(setup, kSessions, run_seed(order, "sizes", 0, 0));
  const Parameters found = analysis_of(samples, order.sabotage).forecast.parameters;
  const std::vector<SizeTime> points = measured(samples, found);
  const std::vector<CollectiveSegment> segments =
      found.segments ? *found.segments : std::vector<CollectiveSegment>{};
  const Answer<CollectiveLine> one_line = fit_line(points);
  std::map<Bytes, Json> rows;
  for (const CollectiveSegment& segment : segments) {
    const std::vector<SizeTime> held = points_in(segment, points);
    const Answer<CollectiveLine> line = fit_line(held);
    for (const SizeTime& point : held) {
      rows[point.wire] = row(setup, point, "sweep", number_of(point.wire, segments),
                             microseconds(line, point.wire), one_line);
    }
  }
  const SizeTime own{samples.parameters.wire, Seconds(found.collective->value)};
  rows[own.wire] = row(setup, own, "V, left out", number_of(own.wire, segments),
                       microseconds(found.collective_from_line), one_line);
  for (auto& [size, one] : rows) study.rows.push_back(std::move(one));
  ticker.step();
  ticker.end();
  return {std::move(study)};
}

}  // namespace splitbench::proof
