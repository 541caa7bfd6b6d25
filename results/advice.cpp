#include "results/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "model/invalid_input.h"
#include "model/split_time.h"
#include "results/answer_writer.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// A point, whatever document it is of.
struct Case {
  SplitParameters parameters;
  bool line_is_known = true;        // else latency is the whole time of one collective
  std::optional<Interval> speedup;  // none where there is no T1
  std::string verdict;              // of the split: "faster", ..., empty where there is none
  std::string no_verdict;           // why there is none; empty where nobody said
};

double middle(const Json& range) {
  constexpr double kMost = 1e12;  // of anything: what is added up and divided stays a number
  const double low = range.at("low").get<double>();
  const double high = range.at("high").get<double>();
  if (!(low >= 0.0 && low <= high && high <= kMost)) {
    throw InvalidInput("", fmt::format("a range of {:g} to {:g}; expected two numbers from 0 on, "
                                       "the lower first",
                                       low, high));
  }
  return low > 0.0 ? std::sqrt(low * high) : high / 2.0;
}

std::string text_or_empty(const Json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

// The middle of every range.
std::optional<Case> case_of_estimate(const Json& point) {
  const Json& ranges = point.at("parameters");
  Case found;
  found.parameters = {.serial = Seconds(middle(ranges.at("serial_s"))),
                      .compute = Seconds(middle(ranges.at("compute_s"))),
                      .efficiency = middle(ranges.at("efficiency")),
                      .collectives = point.at("collectives").get<std::int64_t>(),
                      .latency = Seconds(middle(ranges.at("collective_s"))),
                      .bytes = Bytes(0.0),
                      .bandwidth = BytesPerSecond(HUGE_VAL),
                      .ranks = point.at("ranks").get<int>()};
  if (found.parameters.ranks < 2) throw InvalidInput("", "a split over less than 2 ranks");
  found.line_is_known = false;
  found.verdict = text_or_empty(point.at("split_verdict"));
  if (found.verdict.empty()) {
    found.no_verdict = point.at("reasons").at("t1_s").get<std::string>() + ", " +
                       point.at("reasons").at("split_verdict").get<std::string>();
  }
  if (const Json& speedup = point.at("speedup"); !speedup.is_null()) {
    found.speedup = {speedup.at("low").get<double>(), speedup.at("high").get<double>()};
  }
  return found;
}

std::optional<double> value_in(const Json& object, const char* key) {
  if (!object.contains(key) || object.at(key).is_null()) return std::nullopt;
  return object.at(key).at("value").get<double>();
}

std::optional<Interval> speedup_of_result(const Json& point) {
  const Json& measured = point.at("measured");
  const auto value = value_in(measured, "speedup");
  if (!value) return std::nullopt;
  const Json& interval = measured.at("speedup").at("interval");
  if (interval.is_null()) return Interval{*value, *value};
  return Interval{interval.at(0).get<double>(), interval.at(1).get<double>()};
}

std::string verdict_of_result(const Json& point) {
  const Json comparison = point.value("comparison", Json());
  return comparison.is_object() ? text_or_empty(comparison.at("split_verdict")) : "";
}

// None where the parts of the budget were not all measured.
std::optional<Case> case_of_result(const Json& point) {
  Case found;
  found.verdict = verdict_of_result(point);
  if (found.verdict == "fits-only-split") return found;  // nothing was measured on one device
  if (!point.contains("parameters") || !point.contains("measured")) return std::nullopt;
  const Json& p = point.at("parameters");
  const auto compute = value_in(p, "compute_s");
  const auto efficiency = value_in(p, "efficiency");
  const auto collective = value_in(p, "collective_s");
  if (!compute || !efficiency || !collective) return std::nullopt;
  found.parameters = {.serial = Seconds(std::max(0.0, value_in(p, "serial_s").value_or(0.0))),
                      .compute = Seconds(*compute),
                      .efficiency = *efficiency,
                      .collectives = point.at("collectives").get<std::int64_t>(),
                      .latency = Seconds(*collective),
                      .bytes = Bytes(0.0),
                      .bandwidth = BytesPerSecond(HUGE_VAL),
                      .ranks = point.at("ranks").get<int>()};
  const auto latency = value_in(p, "latency_s");
  const auto bandwidth = value_in(p, "bandwidth_bytes_per_s");
  found.line_is_known = latency && *latency >= 0.0 && bandwidth;
  if (found.line_is_known) {
    found.parameters.latency = Seconds(*latency);
    found.parameters.bandwidth = BytesPerSecond(*bandwidth);
    found.parameters.bytes = Bytes(point.at("wire_bytes").get<double>());
  }
  found.speedup = speedup_of_result(point);
  return found;
}

Json latency_advice(const Case& point) {
  if (point.verdict == "fits-only-split") {
    return {{"answer", "split"}, {"why", "one device has no room for it"}};
  }
  if (point.verdict == "faster") return {{"answer", "split"}, {"why", "it is faster"}};
  if (point.verdict == "slower") return {{"answer", "leave-alone"}, {"why", "it is slower"}};
  if (point.verdict == "tie") {
    return {{"answer", "leave-alone"}, {"why", "it is no faster, and takes more devices"}};
  }
  if (!point.no_verdict.empty()) return {{"answer", nullptr}, {"why", point.no_verdict}};
  return {{"answer", nullptr}, {"why", "whether it is faster is not known yet"}};
}

Json throughput_advice(const Case& point) {
  if (!point.speedup) {
    const bool only_split = point.verdict == "fits-only-split";
    return {{"answer", only_split ? Json("split") : Json(nullptr)},
            {"why", only_split                  ? "one device has no room for it"
                    : !point.no_verdict.empty() ? point.no_verdict
                                                : "its time on one device is not known"},
            {"replicas_win_above_efficiency", nullptr}};
  }
  const double n = point.parameters.ranks;
  const Interval parallel{point.speedup->low / n, point.speedup->high / n};
  const Json above = {{"low", parallel.low}, {"high", parallel.high}};
  if (parallel.low >= 1.0) {
    return {{"answer", "split"},
            {"why", "it is more than N times as fast, which no N replicas are"},
            {"replicas_win_above_efficiency", above}};
  }
  const std::string why = fmt::format(
      "{:g} replicas give more where each keeps more than {:.0f} to {:.0f} % of what one gives "
      "alone; that was not measured here",
      n, 100.0 * parallel.low, 100.0 * parallel.high);
  return {{"answer", parallel.high < 1.0 ? Json("replicate") : Json(nullptr)},
          {"why", why},
          {"replicas_win_above_efficiency", above}};
}

struct Loss {
  const char* term;
  Seconds value;
};

// T_N over T1/N, term by term: serial work that every rank repeats, shards that are less efficient
// than the whole, and the collectives. Sums to T_N - T1/N.
Json losses_json(const Case& point) {
  const SplitParameters& p = point.parameters;
  const double n = p.ranks;
  const auto q = static_cast<double>(p.collectives);
  std::array losses{Loss{"serial", (1.0 - 1.0 / n) * p.serial},
                    Loss{"efficiency", divided_compute_time(p) - p.compute / n},
                    Loss{point.line_is_known ? "collectives, fixed" : "collectives", q * p.latency},
                    Loss{"collectives, bytes", communication_time(p) - q * p.latency}};
  std::stable_sort(losses.begin(), losses.end(),
                   [](const Loss& a, const Loss& b) { return a.value > b.value; });
  const Seconds all = split_time(p) - one_device_time(p) / n;
  Json list = Json::array();
  for (const Loss& loss : losses) {
    if (loss.value == Seconds(0.0)) continue;
    list.push_back({{"term", loss.term},
                    {"value_s", loss.value.value()},
                    {"share", all.value() > 0.0 ? Json(loss.value / all) : Json(nullptr)}});
  }
  return list;
}

// Where T1 = T_N, the other parameters kept.
Json flips_json(const Case& point) {
  const SplitParameters& p = point.parameters;
  Json flips = Json::object();
  Json reasons = Json::object();
  AnswerWriter answers(flips, reasons);
  answers.write("compute_s", break_even_compute(p));
  answers.write("efficiency", min_efficiency(p));
  const char* const fixed = point.line_is_known ? "latency_s" : "collective_s";
  answers.write(fixed, max_latency(p));
  if (point.line_is_known) answers.write("bandwidth_bytes_per_s", min_bandwidth(p));
  const Json now = {{"compute_s", p.compute.value()},
                    {"efficiency", p.efficiency},
                    {fixed, p.latency.value()},
                    {"bandwidth_bytes_per_s", p.bandwidth.value()}};
  Json list = Json::array();
  for (const auto& [key, at] : flips.items()) {
    list.push_back({{"parameter", key},
                    {"now", now.at(key)},
                    {"flips_at", at},
                    {"reason", at.is_null() ? reasons.at(key) : Json(nullptr)}});
  }
  return list;
}

Json point_json(const Json& point, const std::optional<Case>& found) {
  Json advice;
  advice["operation"] = point.at("operation");
  advice["ranks"] = point.at("ranks");
  if (!found) {
    const Json none = {{"answer", nullptr}, {"why", "its parts were not all measured"}};
    advice["latency"] = none;
    advice["throughput"] = none;
    advice["throughput"]["replicas_win_above_efficiency"] = nullptr;
    advice["lost"] = Json::array();
    advice["flips"] = Json::array();
    return advice;
  }
  advice["latency"] = latency_advice(*found);
  advice["throughput"] = throughput_advice(*found);
  // Of a T1 that there is.
  advice["lost"] = found->speedup ? losses_json(*found) : Json::array();
  advice["flips"] = found->speedup ? flips_json(*found) : Json::array();
  return advice;
}

}  // namespace

Json advice_document(const Json& document) {
  const std::string schema = document.is_object() ? document.value("schema", "") : "";
  const bool estimated = schema == "splitbench.estimate/1";
  if (!estimated && schema != "splitbench.result/1") {
    throw InvalidInput("", "'schema' is '" + schema +
                               "'; expected a result document (splitbench run --out FILE) or an "
                               "estimate (splitbench predict --node, as JSON)");
  }
  if (document.at("points").empty()) throw InvalidInput("", "the document has no points");
  Json advice{{"schema", kAdviceSchema}};
  advice["of"] = schema;
  advice["times_are"] = document.at("times_are");
  advice["devices"] = estimated ? document.at("devices") : Json::array();
  advice["points"] = Json::array();
  for (const Json& point : document.at("points")) {
    advice["points"].push_back(
        point_json(point, estimated ? case_of_estimate(point) : case_of_result(point)));
  }
  using Notes = std::vector<std::string>;
  advice["notes"] = estimated ? document.value("notes", Notes()) : Notes();
  return advice;
}

}  // namespace splitbench
