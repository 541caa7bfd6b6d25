#include "results/tabulated_document.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "model/analysis.h"
#include "model/faster_intervals.h"
#include "model/split_time.h"
#include "model/wire.h"
#include "results/analysis_json.h"
#include "results/answer_writer.h"
#include "results/criteria.h"
#include "results/result_head.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNothingRun = "nothing was run: tables have times and no samples";
constexpr const char* kNoSessions = "a table has no sessions";

Answer<Estimate> estimate(double value, const Answer<Interval>& interval) {
  return Estimate{.value = value, .scale = Scale::logarithmic, .interval = interval};
}
Answer<Estimate> estimate(const TableTime& time) {
  return estimate(time.time.value(), time.interval);
}
Answer<Estimate> estimate(double value, const char* no_interval) {
  return estimate(value, Answer<Interval>::none(no_interval));
}

const TabulatedSplit& split_of(const TabulatedPoint& point) {
  return *point.implementations.front().split;
}

// The point as the model's formulas take it, with l + V/B = H where there is no line.
SplitParameters formula(const TabulatedPoint& point, const Operation& operation, int ranks) {
  const auto layers = static_cast<double>(operation.layers);
  const TabulatedLayer& layer = point.layer;
  return {.serial = layers * layer.serial.time,
          .compute = layers * layer.full.time,
          .efficiency = layer.full.time / (ranks * layer.shard.time),
          .collectives = collectives(operation, ranks),
          .latency = layer.collective.time,
          .bytes = Bytes(0),
          .ranks = ranks};
}

SplitParameters with_line(SplitParameters parameters, const CollectiveLine& line, Bytes wire) {
  parameters.latency = line.latency;
  parameters.bytes = wire;
  parameters.bandwidth = line.bandwidth;
  return parameters;
}

template <class T>
BreakEven break_even(const Answer<T>& value, const char* no_set) {
  BreakEven result;
  if constexpr (std::is_same_v<T, double>) {
    result.value = value;
  } else {
    result.value = value ? Answer<double>(value->value()) : Answer<double>::none(value.reason());
  }
  result.set = Answer<RealSet>::none(value ? no_set : value.reason());
  return result;
}

void no_sample(Parameters& parameters) {
  const Answer<Estimate> none = Answer<Estimate>::none(kNothingRun);
  for (Answer<Estimate> Parameters::*member :
       {&Parameters::empty, &Parameters::empty_all_ranks, &Parameters::serial_extra,
        &Parameters::shard_alone, &Parameters::collective_shortest,
        &Parameters::collective_pipelined}) {
    parameters.*member = none;
  }
}

void add_line(Parameters& parameters, const Answer<CollectiveLine>& line) {
  if (!line) {
    parameters.latency = Answer<Estimate>::none(line.reason());
    parameters.bandwidth = parameters.latency;
    parameters.valid_for_bytes = Answer<Interval>::none(line.reason());
    parameters.line_max_relative_error = Answer<double>::none(line.reason());
    return;
  }
  parameters.latency = estimate(line->latency.value(), kNoSessions);
  parameters.bandwidth = estimate(line->bandwidth.value(), kNoSessions);
  parameters.valid_for_bytes = Interval{line->smallest.value(), line->largest.value()};
  parameters.line_max_relative_error = line->max_relative_error;
}

Forecast forecast(const TabulatedPoint& point, const Operation& operation, int ranks) {
  const SplitParameters parts = formula(point, operation, ranks);
  const Bytes wire = wire_bytes(message_bytes(operation), ranks);
  const auto layers = static_cast<double>(operation.layers);
  Forecast forecast;
  Parameters& parameters = forecast.parameters;
  no_sample(parameters);
  parameters.serial = estimate(parts.serial.value(), kNoSessions);
  parameters.compute = estimate(parts.compute.value(), kNoSessions);
  parameters.shard = estimate(layers * point.layer.shard.time.value(), kNoSessions);
  parameters.efficiency = estimate(parts.efficiency, kNoSessions);
  parameters.collective = estimate(point.layer.collective);
  add_line(parameters, point.line);
  parameters.break_even_compute = break_even(break_even_compute(parts), kNoSessions);
  parameters.min_efficiency = break_even(min_efficiency(parts), kNoSessions);
  const auto least_bandwidth = point.line ? min_bandwidth(with_line(parts, *point.line, wire))
                                          : Answer<BytesPerSecond>::none(point.line.reason());
  parameters.min_bandwidth = break_even(least_bandwidth, kNoSessions);

  const TabulatedSplit& split = split_of(point);
  Prediction& prediction = forecast.prediction;
  prediction.one_device = estimate(split.one_device);
  prediction.point = estimate(split.split);
  prediction.speedup = estimate(split.speedup, split.speedup_interval);
  prediction.from_fit =
      point.line ? estimate(split_time(with_line(parts, *point.line, wire)).value(), kNoSessions)
                 : Answer<Estimate>::none(point.line.reason());
  prediction.overlap_bound = estimate(overlap_bound(parts).value(), kNoSessions);
  prediction.budget = {{.name = "serial", .amount = parameters.serial},
                       {.name = "compute", .amount = parameters.shard},
                       {.name = "communication",
                        .amount = estimate(communication_time(parts).value(), kNoSessions)}};
  return forecast;
}

// T_N of entries left out beside a prediction; else why there is none.
Judgement judged(const Answer<TableTime>& predicted, const Answer<Seconds>& tn,
                 const AcceptanceCriteria& criteria) {
  Judgement judgement;
  judgement.comparison.out_of_session_error = Answer<RootMeanSquare>::none(kNoSessions);
  judgement.attribution.difference.amount = Answer<Estimate>::none(kNothingRun);
  if (!predicted || !tn) {
    const std::string& reason = predicted ? tn.reason() : predicted.reason();
    judgement.comparison.relative_error = Answer<double>::none(reason);
    judgement.comparison.interval = Answer<Interval>::none(reason);
    judgement.verdict = {.reason = reason, .sessions_needed = Answer<int>::none(kNoSessions)};
    return judgement;
  }
  const TabulatedComparison comparison = compare(*predicted, *tn, criteria);
  judgement.comparison.relative_error = comparison.relative_error;
  judgement.comparison.interval = comparison.interval;
  judgement.verdict = comparison.verdict;
  judgement.attribution.difference.amount = estimate((*tn - predicted->time).value(), kNoSessions);
  return judgement;
}

Measured put_together(const TabulatedPoint& point) {
  Measured measured;
  if (!point.tn) {
    for (Answer<Estimate>* answer : {&measured.t1, &measured.tn, &measured.speedup}) {
      *answer = Answer<Estimate>::none(point.tn.reason());
    }
    return measured;
  }
  const Seconds t1 = split_of(point).one_device.time;
  measured.t1 = estimate(t1.value(), kNoSessions);
  measured.tn = estimate(point.tn->value(), kNoSessions);
  measured.speedup = estimate(t1 / *point.tn, kNoSessions);
  return measured;
}

PointJudgement judgement(const TabulatedPoint& point, const Forecast& forecast,
                         const AcceptanceCriteria& criteria) {
  PointJudgement judgement;
  judgement.measured = put_together(point);
  judgement.point = judged(split_of(point).split, point.tn, criteria);
  const Answer<Estimate>& fit = forecast.prediction.from_fit;
  const auto from_fit =
      fit ? Answer<TableTime>(TableTime{
                .time = Seconds(fit->value), .interpolated = true, .interval = fit->interval})
          : Answer<TableTime>::none(fit.reason());
  judgement.from_fit = judged(from_fit, point.tn, criteria);
  judgement.self = {.passed = Answer<bool>::none(kNothingRun),
                    .log_ratio = Answer<Estimate>::none(kNothingRun),
                    .least_effect = criteria.least_effect};
  judgement.split = split_of(point).verdict;
  return judgement;
}

Json implementation_json(const TabulatedImplementation& implementation, Json& reasons,
                         const std::string& path) {
  Json out{{"implementation", implementation.name}};
  AnswerWriter answers(out, reasons, path);
  const auto& split = implementation.split;
  const auto& collective = implementation.collective;
  answers.write_estimate("collective_s", collective ? estimate(*collective)
                                                    : Answer<Estimate>::none(collective.reason()));
  answers.write("interpolation_error",
                collective ? collective->error : Answer<double>::none(collective.reason()));
  if (!split) {
    for (const char* key : {"tn_s", "speedup", "split_verdict"}) {
      answers.write_none(key, split.reason());
    }
    return out;
  }
  answers.write_estimate("tn_s", estimate(split->split));
  answers.write_estimate("speedup", estimate(split->speedup, split->speedup_interval));
  out["split_verdict"] = name(split->verdict.outcome);
  return out;
}

Json choices_json(const TabulatedPoint& point, Json& reasons) {
  Json list = Json::array();
  for (const TabulatedImplementation& implementation : point.implementations) {
    const std::string path = "choices.implementations." + implementation.name + ".";
    list.push_back(implementation_json(implementation, reasons, path));
  }
  return {{"implementation", point.implementations.front().name},
          {"products", point.layer.full.interpolated ? "between entries" : "entries"},
          {"collective", point.layer.collective.interpolated ? "between entries" : "an entry"},
          {"implementations", std::move(list)}};
}

Json point_json(const RunRecord& run, const Operation& operation, const TabulatedPoint& point) {
  const int ranks = run.protocol.ranks;
  const Forecast said = forecast(point, operation, ranks);
  const PointJudgement seen = judgement(point, said, criteria(run.protocol, 0));
  Json reasons = Json::object();
  Json out = point_head(run, operation, Json::array(), choices_json(point, reasons));
  AnswerWriter answers(out, reasons);
  for (const char* key : {"correctness", "arms", "collective_sweep"}) {
    answers.write_none(key, kNothingRun);
  }
  out["parameters"] = parameters_json(said.parameters, 0.95, reasons);
  out["predicted"] = predicted_json(said, reasons);
  out["measured"] = measured_json(seen.measured, ranks, reasons);
  out["comparison"] = comparison_json(seen, reasons);
  out["attribution"] = Json::array();
  out["fit_attribution"] = Json::array();
  out["notes"] = Json::array();
  if (point.tn) {
    out["notes"].push_back(
        "'measured' is put together from entries of the tables that the prediction did not read");
  }
  out["reasons"] = std::move(reasons);
  return out;
}

// Points that differ in tokens alone, by tokens, for one implementation.
using Series = std::map<std::int64_t, const TabulatedSplit*>;

void add_intervals(Json& list, const std::string& implementation, const Operation& like,
                   const Series& series) {
  std::vector<double> tokens;
  for (const auto& entry : series) tokens.push_back(static_cast<double>(entry.first));
  const auto is_faster = [&series](double count) {
    return series.at(static_cast<std::int64_t>(count))->verdict.outcome == SplitOutcome::faster;
  };
  for (const FasterInterval& interval : faster_intervals(tokens, is_faster)) {
    list.push_back({{"implementation", implementation},
                    {"d_model", like.d_model},
                    {"d_ff", like.d_ff},
                    {"layers", like.layers},
                    {"dtype", name(like.dtype)},
                    {"from_tokens", static_cast<std::int64_t>(interval.from)},
                    {"to_tokens", static_cast<std::int64_t>(interval.to)},
                    {"from_is_first", interval.from_is_first},
                    {"to_is_last", interval.to_is_last}});
  }
}

Json intervals_json(const std::vector<Operation>& operations,
                    const std::vector<TabulatedPoint>& points) {
  Json list = Json::array();
  for (std::size_t i = 0; i < points.front().implementations.size(); ++i) {
    using Shape = std::tuple<std::int64_t, std::int64_t, std::int64_t, DataType>;
    std::map<Shape, std::pair<Operation, Series>> shapes;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const Operation& o = operations[p];
      const auto& split = points[p].implementations[i].split;
      auto& [like, series] = shapes[{o.d_model, o.d_ff, o.layers, o.dtype}];
      like = o;
      if (split) series[o.tokens] = &*split;
    }
    for (const auto& entry : shapes) {
      add_intervals(list, points.front().implementations[i].name, entry.second.first,
                    entry.second.second);
    }
  }
  return list;
}

Json notes_of(const RunRecord& run) {
  std::vector<std::string> notes = run.notes;
  notes.insert(notes.end(), run.node.notes.begin(), run.node.notes.end());
  return notes;
}

}  // namespace

Json tabulated_document(const RunRecord& run, const std::vector<TabulatedPoint>& points) {
  const Json no_rounds{{"planned", 0}, {"counted", 0}, {"sessions", 0}, {"void", Json::array()}};
  Json document = document_head(run, RunOutcome::complete, notes_of(run), no_rounds);
  document["points"] = Json::array();
  for (std::size_t i = 0; i < points.size(); ++i) {
    document["points"].push_back(point_json(run, run.protocol.points[i], points[i]));
  }
  document["faster_intervals"] = intervals_json(run.protocol.points, points);
  document["health"] = {{"sessions", Json::array()}};
  document["reasons"] = document_reasons(run);
  return document;
}

}  // namespace splitbench
