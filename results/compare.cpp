#include "results/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "model/change.h"
#include "model/invalid_input.h"
#include "results/answer_writer.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

struct Quantity {
  const char* name;
  Answer<Estimate> PointView::*value;
  Better better;
};
constexpr std::array kQuantities{
    Quantity{"speedup", &PointView::speedup, Better::higher},
    Quantity{"t1_s", &PointView::t1, Better::lower},
    Quantity{"tn_s", &PointView::tn, Better::lower},
    Quantity{"serial_s", &PointView::serial, Better::lower},
    Quantity{"compute_s", &PointView::compute, Better::lower},
    Quantity{"efficiency", &PointView::efficiency, Better::higher},
    Quantity{"latency_s", &PointView::latency, Better::lower},
    Quantity{"bandwidth_bytes_per_s", &PointView::bandwidth, Better::higher},
};

// The estimate times a factor that is exact.
Answer<Estimate> scaled_linear(Answer<Estimate> estimate, double factor) {
  if (!estimate) return estimate;
  Estimate result = *estimate;
  result.value *= factor;
  result.session_sd *= factor;
  return result;
}

struct Row {
  Answer<Estimate> difference = not_estimated();
  bool of_tn = false;  // else of A's own value, as a logarithm
};

Row row(const Quantity& quantity, const PointView& a, const PointView& b) {
  const Answer<Estimate>& left = a.*quantity.value;
  const Answer<Estimate>& right = b.*quantity.value;
  if (quantity.value != &PointView::latency)
    return {difference(left, right, kResultConfidence), false};
  if (!a.tn) return {Answer<Estimate>::none("T_N of A: " + a.tn.reason()), true};
  const double share = a.collectives / a.tn->value;
  return {difference(scaled_linear(left, share), scaled_linear(right, share), kResultConfidence),
          true};
}

// As a share, from a logarithm unless it is one.
double share(double value, bool of_tn) {
  return of_tn ? value : std::expm1(value);
}

Json row_json(const Quantity& quantity, const PointView& a, const PointView& b,
              double least_effect) {
  const Row seen = row(quantity, a, b);
  const Change change = judge_change(seen.difference, quantity.better, least_effect);
  Json reasons = Json::object();
  Json out{{"quantity", quantity.name},
           {"better", quantity.better == Better::higher ? "higher" : "lower"}};
  AnswerWriter answers(out, reasons);
  answers.write_estimate("a", a.*quantity.value);
  answers.write_estimate("b", b.*quantity.value);
  out["relative_to"] = seen.of_tn ? "tn_s" : "a";
  if (seen.difference) {
    const Interval ends = *seen.difference->interval;
    out["change"] = share(seen.difference->value, seen.of_tn);
    out["interval"] = {share(ends.low, seen.of_tn), share(ends.high, seen.of_tn)};
  } else {
    answers.write_none("change", seen.difference.reason());
    answers.write_none("interval", seen.difference.reason());
  }
  out["outcome"] = name(change.outcome);
  out["reason"] = change.reason;
  out["reasons"] = std::move(reasons);
  return out;
}

Json verdicts_json(const std::string& a, const std::string& b) {
  const auto or_null = [](const std::string& verdict) {
    return verdict.empty() ? Json(nullptr) : Json(verdict);
  };
  return {{"a", or_null(a)}, {"b", or_null(b)}};
}

Json point_json(const PointView& a, const PointView& b, const ComparisonOptions& options) {
  double least_effect = options.least_effect;
  for (const PointView* point : {&a, &b}) {
    if (point->least_effect) least_effect = std::max(least_effect, *point->least_effect);
  }
  Json rows = Json::array();
  for (const Quantity& quantity : kQuantities) {
    rows.push_back(row_json(quantity, a, b, least_effect));
  }
  Json out = a.key;
  out["label"] = a.label;
  out["least_effect"] = least_effect;
  out["rows"] = std::move(rows);
  out["split_verdict"] = verdicts_json(a.split_verdict, b.split_verdict);
  out["model_verdict"] = verdicts_json(a.model_verdict, b.model_verdict);
  return out;
}

Json labels_missing_in(const ResultView& other, const ResultView& view) {
  Json labels = Json::array();
  for (const PointView& point : view.points) {
    if (find_point(other, point.key) == nullptr) labels.push_back(point.label);
  }
  return labels;
}

[[noreturn]] void refuse(const std::string& why) {
  throw InvalidInput("", "these are not compared: " + why);
}

void require_alike(const ResultView& a, const ResultView& b, const ComparisonOptions& options) {
  if (a.times_are != b.times_are) {
    refuse(fmt::format("the times of {} are {}, those of {} are {}", a.id, name(a.times_are), b.id,
                       name(b.times_are)));
  }
  if (a.backend != b.backend) {
    refuse(fmt::format("{} is of backend {}, {} of {}", a.id, a.backend, b.id, b.backend));
  }
  if (a.fingerprint != b.fingerprint && !options.across) {
    refuse(fmt::format("{} ran on {} ({}), {} on {} ({}); --across compares two machines", a.id,
                       a.devices, a.fingerprint, b.id, b.devices, b.fingerprint));
  }
}

std::string nothing_shared(const ResultView& a, const ResultView& b) {
  if (a.points.empty() || b.points.empty()) return "one of them has no points";
  return fmt::format("no point is in both; {} has {}, {} has {}", a.id, a.points.front().label,
                     b.id, b.points.front().label);
}

}  // namespace

Json comparison_document(const ResultView& a, const ResultView& b,
                         const ComparisonOptions& options) {
  require_alike(a, b, options);
  Json points = Json::array();
  for (const PointView& point : a.points) {
    if (const PointView* other = find_point(b, point.key)) {
      points.push_back(point_json(point, *other, options));
    }
  }
  if (points.empty()) refuse(nothing_shared(a, b));
  return {{"schema", kComparisonSchema},
          {"a", to_json(a)},
          {"b", to_json(b)},
          {"across", a.fingerprint != b.fingerprint},
          {"environment", to_json(changes(a.environment, b.environment))},
          {"points", std::move(points)},
          {"only_in_a", labels_missing_in(b, a)},
          {"only_in_b", labels_missing_in(a, b)}};
}

}  // namespace splitbench
