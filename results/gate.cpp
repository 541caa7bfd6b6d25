#include "results/gate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "results/answer_writer.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

struct Gated {
  const char* name;
  Answer<Estimate> PointView::*value;
  Better better;
  GateRule GateRequest::*rule;
};
constexpr std::array kGated{
    Gated{"speedup", &PointView::speedup, Better::higher, &GateRequest::speedup},
    Gated{"tn_s", &PointView::tn, Better::lower, &GateRequest::time},
};

struct Obstacle {
  GateCause cause = GateCause::none;
  std::string reason;
};

Obstacle obstacle(const ResultView& run) {
  if (run.times_are != TimesAre::measured) {
    return {GateCause::not_real,
            "its times are " + std::string(name(run.times_are)) + ", not measured on real devices"};
  }
  if (run.points.empty()) return {GateCause::not_complete, "it was not finished: it has no result"};
  if (run.outcome != RunOutcome::complete) {
    return {GateCause::not_complete, "the run is " + std::string(name(run.outcome))};
  }
  if (!run.no_verdict.empty()) return {GateCause::no_verdict, run.no_verdict};
  return {};
}

Obstacle obstacle(const NamedBaseline& baseline, const ResultView& judged, const Json& key,
                  const Gated& gated) {
  if (!baseline.view) {
    return {GateCause::baseline_missing, "there is no result of a run " + baseline.id};
  }
  const ResultView& view = *baseline.view;
  if (view.fingerprint != judged.fingerprint) {
    return {GateCause::baseline_foreign, "run " + baseline.id + " is of another machine: " +
                                             view.devices + " (" + view.fingerprint + ")"};
  }
  if (view.protocol != judged.protocol) {
    return {GateCause::baseline_foreign,
            "run " + baseline.id + " is of another protocol: " + view.protocol};
  }
  const PointView* point = find_point(view, key);
  if (point == nullptr) {
    return {GateCause::baseline_foreign, "run " + baseline.id + " does not have this point"};
  }
  const Answer<Estimate>& value = point->*gated.value;
  if (!value) return {GateCause::baseline_missing, "run " + baseline.id + ": " + value.reason()};
  return {};
}

GatedRun gated_run(const Estimate& estimate) {
  const auto sessions = static_cast<double>(estimate.sessions);
  return {.value = estimate.value,
          .spread = estimate.session_sd / std::sqrt(sessions),
          .sessions = static_cast<int>(estimate.sessions)};
}

GateJudgement unknown(Obstacle obstacle) {
  return {.outcome = GateOutcome::unknown,
          .cause = obstacle.cause,
          .reason = std::move(obstacle.reason)};
}

// What the request asks, with the part of its series that counts.
class Gate {
 public:
  explicit Gate(const GateRequest& request) : request_(request) {
    for (const SeriesRun& run : request.series) {
      if (run.view.started_utc > request.judged.started_utc) break;
      const bool judged = run.view.id == request.judged.id;
      if (is_beginning(run)) {
        before_.clear();
        beginning_ = &run;
      }
      if (judged) break;
      before_.push_back(&run.view);
    }
  }

  Json document() const {
    Json checks = Json::array();
    GateOutcome worst = GateOutcome::pass;
    for (const PointView& point : points()) {
      for (const Gated& gated : kGated) {
        if (!is_asked_for(point, gated)) continue;
        const GateJudgement judgement = judge(point, gated);
        worst = std::max(worst, judgement.outcome, less_severe);
        checks.push_back(check_json(point, gated, judgement));
      }
    }
    return {
        {"schema", kGateSchema},
        {"run", to_json(request_.judged)},
        {"confirmation", request_.confirmation ? to_json(*request_.confirmation) : Json(nullptr)},
        {"provisional", request_.confirmation.has_value()},
        {"outcome", name(worst)},
        {"baseline", baseline_json()},
        {"rules", {{"speedup", rule_json(request_.speedup)}, {"tn_s", rule_json(request_.time)}}},
        {"checks", std::move(checks)}};
  }

 private:
  // Too large for one device: there is no T1 to gate.
  static bool has_no_speedup(const PointView& point) {
    return point.split_verdict == "fits-only-split";
  }

  bool has(const PointView& point) const { return find_point(newest(), point.key) != nullptr; }

  // In how many earlier runs it has a value.
  std::size_t earlier_values(const Json& key, const Gated& gated) const {
    return static_cast<std::size_t>(
        std::count_if(before_.begin(), before_.end(), [&](const ResultView* run) {
          const PointView* point = find_point(*run, key);
          return point != nullptr && !has_no_speedup(*point) && point->*gated.value;
        }));
  }

  // Enough for a baseline: from then on it may not go missing.
  bool is_missed(const Json& key, const Gated& gated) const {
    return earlier_values(key, gated) >= (request_.*gated.rule).least_runs;
  }

  bool is_asked_for(const PointView& point, const Gated& gated) const {
    if (newest().points.empty()) return true;
    const bool there = has(point) && !(has_no_speedup(point) && gated.value == &PointView::speedup);
    return there || is_missed(point.key, gated);
  }

  // Those of the run, then those that earlier ones have and it lacks.
  std::vector<PointView> points() const {
    std::vector<PointView> all = newest().points;
    if (all.empty()) {
      all.emplace_back().label = "every point";
      return all;
    }
    for (const ResultView* run : before_) {
      for (const PointView& point : run->points) {
        const bool known = std::any_of(all.begin(), all.end(), [&point](const PointView& one) {
          return one.key == point.key;
        });
        if (known) continue;
        PointView& missed = all.emplace_back();
        missed.key = point.key;
        missed.label = point.label;
      }
    }
    return all;
  }

  static bool less_severe(GateOutcome a, GateOutcome b) { return severity(a) < severity(b); }

  static int severity(GateOutcome outcome) {
    switch (outcome) {
      case GateOutcome::pass:
        return 0;
      case GateOutcome::learning:
        return 1;
      case GateOutcome::unknown:
        return 2;
      case GateOutcome::regression:
        return 3;
    }
    return 3;
  }

  bool is_beginning(const SeriesRun& run) const {
    if (request_.baseline) return run.view.id == request_.baseline->id;
    return std::any_of(run.marks.begin(), run.marks.end(),
                       [](const Mark& mark) { return mark.kind == MarkKind::accepted; });
  }

  // The run whose outcome is asked for.
  const ResultView& newest() const {
    return request_.confirmation ? *request_.confirmation : request_.judged;
  }

  GateJudgement judge(const PointView& point, const Gated& gated) const {
    for (const ResultView* run : {&request_.judged, &newest()}) {
      Obstacle found = obstacle(*run);
      if (found.cause != GateCause::none) return unknown(std::move(found));
    }
    if (!has(point)) {
      return unknown({GateCause::no_value, "the run does not have this point, which " +
                                               std::to_string(earlier_values(point.key, gated)) +
                                               " earlier runs have"});
    }
    const Answer<Estimate>& value = point.*gated.value;
    if (!value) return unknown({GateCause::no_value, value.reason()});
    if (has_no_speedup(point) && gated.value == &PointView::speedup) {
      return unknown({GateCause::no_value, "it fits only split now, and did not in earlier runs"});
    }
    if (request_.baseline) {
      Obstacle found = obstacle(*request_.baseline, request_.judged, point.key, gated);
      if (found.cause != GateCause::none) return unknown(std::move(found));
      if (beginning_ == nullptr) {
        return unknown({GateCause::baseline_missing,
                        "run " + request_.baseline->id + " is no complete run before this one"});
      }
    }
    return judge_newest(runs(point.key, gated), gated.better, request_.*gated.rule,
                        point.least_effect ? *point.least_effect : 0.0);
  }

  std::vector<GatedRun> runs(const Json& key, const Gated& gated) const {
    std::vector<const ResultView*> all = before_;
    all.push_back(&request_.judged);
    if (request_.confirmation) all.push_back(&*request_.confirmation);
    std::vector<GatedRun> values;
    for (const ResultView* run : all) {
      const PointView* point = find_point(*run, key);
      if (point != nullptr && point->*gated.value) {
        values.push_back(gated_run(*(point->*gated.value)));
      }
    }
    return values;
  }

  static Json check_json(const PointView& point, const Gated& gated,
                         const GateJudgement& judgement) {
    const Answer<Estimate>& value = point.*gated.value;
    Json out{{"point", point.label},
             {"quantity", gated.name},
             {"outcome", name(judgement.outcome)},
             {"cause", name(judgement.cause)},
             {"reason", judgement.reason},
             {"value", value ? json_value(value->value) : Json(nullptr)},
             {"spread",
              value && value->interval ? json_value(gated_run(*value).spread) : Json(nullptr)}};
    out["threshold"] = judgement.threshold > 0.0 ? Json(judgement.threshold) : Json(nullptr);
    out["baseline"] = judgement.baseline ? Json{{"value", judgement.baseline->value},
                                                {"runs", judgement.baseline->runs},
                                                {"spread", judgement.baseline->spread}}
                                         : Json(nullptr);
    out["shortfalls"] = judgement.shortfalls;
    return out;
  }

  static Json rule_json(const GateRule& rule) {
    return {{"threshold", rule.threshold},  {"most_spread", rule.most_spread},
            {"most_runs", rule.most_runs},  {"least_runs", rule.least_runs},
            {"left_out", rule.left_out},    {"window", rule.window},
            {"shortfalls", rule.shortfalls}};
  }

  Json baseline_json() const {
    Json out{{"named", request_.baseline ? Json(request_.baseline->id) : Json(nullptr)},
             {"begins_with", before_.empty() ? Json(nullptr) : Json(before_.front()->id)},
             {"earlier_runs", before_.size()},
             {"accepted", nullptr}};
    if (beginning_ == nullptr) return out;
    for (const Mark& mark : beginning_->marks) {
      if (mark.kind == MarkKind::accepted) out["accepted"] = to_json(mark);
    }
    return out;
  }

  const GateRequest& request_;
  std::vector<const ResultView*> before_;
  const SeriesRun* beginning_ = nullptr;
};

}  // namespace

Json gate_document(const GateRequest& request) {
  return Gate(request).document();
}

std::string gate_refusal(const ResultView& run) {
  return obstacle(run).reason;
}

bool has_shortfall(const Json& gate) {
  const Json& checks = gate["checks"];
  return std::any_of(checks.begin(), checks.end(), [](const Json& check) {
    const Json& seen = check["shortfalls"];
    return !seen.empty() && !check["threshold"].is_null() &&
           seen.back().get<double>() >= check["threshold"].get<double>();
  });
}

}  // namespace splitbench
