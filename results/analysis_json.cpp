#include "results/analysis_json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "model/sessions.h"
#include "model/wire.h"
#include "results/answer_writer.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

void write_dependence(Json& out, AnswerWriter& answers, const Answer<EffectiveSamples>& samples) {
  if (samples) {
    out["effective_samples"] = samples->count;
    out["autocorrelation_time"] = samples->autocorrelation_time;
  } else {
    answers.write_none("effective_samples", samples.reason());
    answers.write_none("autocorrelation_time", samples.reason());
  }
}

void write_trend(Json& out, AnswerWriter& answers, const Answer<Trend>& trend) {
  if (trend) {
    out["round_change"] = trend->change;
    out["round_change_p"] = trend->p_value;
  } else {
    answers.write_none("round_change", trend.reason());
    answers.write_none("round_change_p", trend.reason());
  }
}

// Of an arm that was measured.
Json times_json(const ArmSummary& arm, double least_change, Json& reasons,
                const std::string& path) {
  const Summary& times = *arm.times;
  const SampleQuality& quality = arm.quality;
  Json out;
  AnswerWriter answers(out, reasons, path);
  out["median_s"] = times.median;
  out["mean_s"] = times.mean;
  out["typical_s"] = times.typical.value;
  answers.write("interval_s", times.typical.interval);
  out["p05_s"] = times.p05;
  out["p25_s"] = times.p25;
  out["p75_s"] = times.p75;
  out["p95_s"] = times.p95;
  answers.write("p99_s", times.p99);
  answers.write("p95_interval_s", quality.p95_interval);
  answers.write("p99_interval_s", quality.p99_interval);
  out["samples"] = times.samples;
  out["sessions"] = times.sessions;
  write_dependence(out, answers, quality.effective);
  write_trend(out, answers, quality.trend);
  const Answer<bool> steady = is_steady(arm, least_change);
  out["steady"] = steady ? Json(*steady) : Json(nullptr);
  if (!steady) answers.give_reason("steady", steady.reason());
  return out;
}

Json segments_json(const std::vector<CollectiveSegment>& segments) {
  Json list = Json::array();
  for (const CollectiveSegment& segment : segments) {
    list.push_back(
        {{"from_bytes", segment.smallest.value()}, {"to_bytes", segment.largest.value()}});
  }
  return list;
}

// The shard with every rank at work over that of the slowest device alone, paired inside a session.
Answer<Estimate> shard_slowdown(const Parameters& parameters, double confidence) {
  if (!parameters.shard) return parameters.shard;
  if (!parameters.shard_alone) return parameters.shard_alone;
  const auto ratios =
      present(parameters.sessions, [](const SessionEstimate& s) -> std::optional<double> {
        if (!s.shard || !s.shard_alone || !(*s.shard_alone > 0.0)) return std::nullopt;
        return *s.shard / *s.shard_alone;
      });
  return log_mean(ratios, confidence, "shard_slowdown");
}

Answer<Estimate> scaled(Answer<Estimate> estimate, double factor) {
  if (!estimate) return estimate;
  Estimate times = *estimate;
  times.value *= factor;
  if (times.interval) {
    times.interval = Interval{factor * times.interval->low, factor * times.interval->high};
  }
  return times;
}

// Of a ratio, above 0.
Answer<Estimate> inverted(Answer<Estimate> estimate) {
  if (!estimate) return estimate;
  Estimate inverse = *estimate;
  inverse.value = 1.0 / inverse.value;
  if (inverse.interval) {
    inverse.interval = Interval{1.0 / inverse.interval->high, 1.0 / inverse.interval->low};
  }
  return inverse;
}

bool is_bounded(const RealSet& set) {
  return std::all_of(set.parts.begin(), set.parts.end(), [](Interval part) {
    return std::isfinite(part.low) && std::isfinite(part.high);
  });
}

void write_break_even(AnswerWriter& answers, std::string_view key, std::string_view set_key,
                      const BreakEven& break_even) {
  answers.write(key, break_even.value);
  answers.write(set_key, break_even.set);
  if (break_even.set && !is_bounded(*break_even.set)) {
    answers.give_reason(set_key, "an end that is null is infinite: no value beyond it is excluded");
  }
}

Json terms_json(const std::vector<Term>& terms, const std::string& section, Json& reasons) {
  Json list = Json::array();
  for (const Term& term : terms) {
    Json entry;
    entry["term"] = term.name;
    AnswerWriter(entry, reasons, section + "." + std::string(term.name) + ".")
        .write_apart("value_s", "interval", term.amount);
    list.push_back(std::move(entry));
  }
  return list;
}

// One prediction judged; `prefix` is "model_" or "fit_" of the verdict's keys, the error of the
// point prediction has none.
void write_judgement(Json& out, AnswerWriter& answers, const Judgement& judgement,
                     const std::string& prefix, const std::string& error_prefix) {
  const Comparison& comparison = judgement.comparison;
  answers.write(error_prefix + "relative_error", comparison.relative_error);
  answers.write(error_prefix + "interval", comparison.interval);
  const auto& error = comparison.out_of_session_error;
  const std::string error_key = error_prefix + "out_of_session_error";
  if (error) {
    out[error_key] = error->value;
    out[error_key + "_upper_limit"] = error->upper_limit;
  } else {
    answers.write_none(error_key, error.reason());
    answers.write_none(error_key + "_upper_limit", error.reason());
  }
  out[prefix + "verdict"] = name(judgement.verdict.outcome);
  out[prefix + "reason"] = judgement.verdict.reason;
  answers.write(prefix + "sessions_needed", judgement.verdict.sessions_needed);
  answers.write_estimate(error_prefix + "difference_s", judgement.attribution.difference.amount);
  out[error_prefix + "unexplained"] = judgement.attribution.unexplained;
}

Json self_comparison_json(const SelfComparison& self, Json& reasons) {
  Json out;
  AnswerWriter answers(out, reasons, "comparison.aa.");
  out["passed"] = self.passed ? Json(*self.passed) : Json(nullptr);
  if (!self.passed) answers.give_reason("passed", self.passed.reason());
  answers.write_estimate("log_ratio", self.log_ratio);
  out["least_effect"] = self.least_effect;
  return out;
}

}  // namespace

Json arms_json(const std::vector<ArmSummary>& arms, double least_change, Json& reasons) {
  Json out = Json::object();
  AnswerWriter answers(out, reasons, "arms.");
  for (const ArmSummary& arm : arms) {
    const std::string key(arm.arm);
    if (arm.times) {
      out[key] = times_json(arm, least_change, reasons, "arms." + key + ".");
    } else {
      answers.write_none(key, arm.times.reason());
    }
  }
  return out;
}

Json sweep_json(const ParameterSamples& samples, double confidence, Json& reasons) {
  std::set<double> sizes;
  for (const ParameterSession& session : samples.sessions) {
    for (const SweepSize& size : session.sweep) sizes.insert(size.wire.value());
  }
  const double wire_of_one = wire_bytes(Bytes(1), samples.ranks).value();
  Json list = Json::array();
  for (const double wire : sizes) {
    std::vector<const std::vector<Block>*> blocks;
    for (const ParameterSession& session : samples.sessions) {
      for (const SweepSize& size : session.sweep) {
        if (size.wire.value() == wire) blocks.push_back(&size.blocks);
      }
    }
    const Answer<Summary> times = summarize(blocks, longest_rank, confidence);
    if (!times) continue;
    const std::int64_t message = std::llround(wire / wire_of_one);
    Json entry{
        {"message_bytes", message}, {"wire_bytes", wire}, {"typical_s", times->typical.value}};
    AnswerWriter(entry, reasons, "collective_sweep." + std::to_string(message) + ".")
        .write("interval_s", times->typical.interval);
    entry["samples"] = times->samples;
    list.push_back(std::move(entry));
  }
  return list;
}

Json parameters_json(const Parameters& parameters, double confidence, Json& reasons) {
  Json out;
  AnswerWriter answers(out, reasons, "parameters.");
  answers.write_estimate("serial_s", parameters.serial);
  answers.write_estimate("compute_s", parameters.compute);
  answers.write_estimate("efficiency", parameters.efficiency);
  answers.write_estimate("latency_s", parameters.latency);
  answers.write_estimate("bandwidth_bytes_per_s", parameters.bandwidth);
  for (const char* key : {"latency_s", "bandwidth_bytes_per_s"}) {
    if (out[key].is_null()) continue;
    AnswerWriter(out[key], reasons, "parameters." + std::string(key) + ".")
        .write("valid_for_bytes", parameters.valid_for_bytes);
  }
  answers.write("line_max_relative_error", parameters.line_max_relative_error);
  answers.write_estimate("collective_from_line_s", parameters.collective_from_line);
  if (parameters.segments) {
    out["collective_segments"] = segments_json(*parameters.segments);
    out["bimodal"] = parameters.bimodal;
  } else {
    answers.write_none("collective_segments", parameters.segments.reason());
    answers.write_none("bimodal", parameters.segments.reason());
  }
  answers.write_estimate("empty_s", parameters.empty);
  answers.write_estimate("empty_all_ranks_s", parameters.empty_all_ranks);
  answers.write_estimate("serial_extra_s", parameters.serial_extra);
  answers.write_estimate("shard_s", parameters.shard);
  answers.write_estimate("shard_alone_s", parameters.shard_alone);
  answers.write_estimate("shard_slowdown", shard_slowdown(parameters, confidence));
  answers.write_estimate("collective_s", parameters.collective);
  answers.write_estimate("collective_shortest_s", parameters.collective_shortest);
  answers.write_estimate("collective_pipelined_s", parameters.collective_pipelined);
  answers.write("device", parameters.device ? Answer<int>(*parameters.device)
                                            : Answer<int>::none("no device ran the arm full"));
  return out;
}

Json predicted_json(const Forecast& forecast, Json& reasons) {
  const Prediction& prediction = forecast.prediction;
  const Parameters& parameters = forecast.parameters;
  Json out;
  AnswerWriter answers(out, reasons, "predicted.");
  answers.write_estimate("t1_s", prediction.one_device);
  answers.write_estimate("tn_s", prediction.point);
  answers.write_estimate("tn_from_fit_s", prediction.from_fit);
  answers.write_apart("speedup", "speedup_interval", prediction.speedup);
  answers.write_apart("overlap_bound_s", "overlap_bound_interval_s", prediction.overlap_bound);
  write_break_even(answers, "break_even_compute_s", "break_even_compute_set_s",
                   parameters.break_even_compute);
  write_break_even(answers, "min_bandwidth_bytes_per_s", "min_bandwidth_set_bytes_per_s",
                   parameters.min_bandwidth);
  write_break_even(answers, "min_efficiency", "min_efficiency_set", parameters.min_efficiency);
  out["budget"] = terms_json(prediction.budget, "predicted.budget", reasons);
  return out;
}

Json measured_json(const Measured& measured, int ranks, Json& reasons) {
  Json out;
  AnswerWriter answers(out, reasons, "measured.");
  answers.write_apart("t1_s", "t1_interval_s", measured.t1);
  answers.write_apart("tn_s", "tn_interval_s", measured.tn);
  answers.write_estimate("speedup", measured.speedup);
  const Answer<Estimate> efficiency = scaled(measured.speedup, 1.0 / ranks);
  answers.write_apart("parallel_efficiency", "parallel_efficiency_interval", efficiency);
  return out;
}

Json cost_json(const Measured& measured, int ranks, std::int64_t tokens, double price_per_hour,
               Json& reasons) {
  const double per_second = price_per_hour / 3600.0 * 1e6 / static_cast<double>(tokens);
  Json out{{"price_per_device_hour", price_per_hour}};
  AnswerWriter answers(out, reasons, "cost.");
  answers.write_estimate("one_device_per_million_tokens", scaled(measured.t1, per_second));
  answers.write_estimate("split_per_million_tokens", scaled(measured.tn, ranks * per_second));
  answers.write_estimate("ratio", scaled(inverted(measured.speedup), ranks));
  return out;
}

Json comparison_json(const PointJudgement& judgement, Json& reasons) {
  Json out;
  AnswerWriter answers(out, reasons, "comparison.");
  write_judgement(out, answers, judgement.point, "model_", "");
  write_judgement(out, answers, judgement.from_fit, "fit_", "fit_");
  const double tolerance = judgement.point.verdict.tolerance;
  if (tolerance > 0.0) {
    out["model_tolerance"] = tolerance;
  } else {
    answers.write_none("model_tolerance", "it depends on T_N, which is unknown");
  }
  out["split_verdict"] = name(judgement.split.outcome);
  out["split_reason"] = judgement.split.reason;
  out["aa"] = self_comparison_json(judgement.self, reasons);
  return out;
}

Json attribution_json(const Attribution& attribution, const std::string& section, Json& reasons) {
  return terms_json(attribution.terms, section, reasons);
}

}  // namespace splitbench
