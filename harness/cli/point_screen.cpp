#include "harness/cli/point_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "harness/cli/budget_bar.h"

namespace splitbench::cli {

namespace {

using Json = nlohmann::ordered_json;

std::optional<double> number(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<double>();
}

std::optional<double> value_of(const Json& estimate) {
  return estimate.is_null() ? std::nullopt : number(estimate["value"]);
}

std::optional<Interval> interval(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Interval{json[0].get<double>(), json[1].get<double>()};
}

std::string value_text(const Json& value, Unit unit) {
  return value.is_null() ? "unknown" : number_text(value.get<double>(), std::nullopt, unit);
}

std::string heading(const Json& point) {
  const Json& op = point["operation"];
  std::string text =
      fmt::format("{}: d_model {}, d_ff {}, {}, {}, all-reduces of {} ",
                  counted(op["tokens"].get<long long>(), "token"), op["d_model"].get<long long>(),
                  op["d_ff"].get<long long>(), counted(op["layers"].get<long long>(), "layer"),
                  op["dtype"].get<std::string>(), value_text(point["message_bytes"], Unit::bytes));
  text.resize(std::max(text.size(), kColumns), '-');
  return wrapped("", text, 2);
}

std::string split_line(const Json& result, const Json& point) {
  const Json& measured = point["measured"];
  const auto verdict = point["comparison"]["split_verdict"].get<std::string>();
  const std::string one = verdict == "fits-only-split"
                              ? "too large for one"
                              : value_text(measured["t1_s"], Unit::seconds) + " on one";
  std::string speedup;
  if (!measured["speedup"].is_null()) {
    speedup = fmt::format(" {}", estimate_text(measured["speedup"], Unit::factor));
  }
  const char* device = result["backend"] == "host" ? "core" : "device";
  return wrapped("  SPLIT: ",
                 fmt::format("{}{}  ({} on {}, {})", upper(verdict), speedup,
                             value_text(measured["tn_s"], Unit::seconds),
                             counted(point["ranks"].get<int>(), device), one),
                 9);
}

double term(const Json& budget, std::string_view name) {
  for (const Json& entry : budget) {
    if (entry["term"] == name) return number(entry["value_s"]).value_or(0.0);
  }
  return 0.0;
}

// The share of one collective that its fixed cost takes, by the line; nothing without a line.
std::optional<double> fixed_share(const Json& point) {
  const auto latency = value_of(point["parameters"]["latency_s"]);
  const auto bandwidth = value_of(point["parameters"]["bandwidth_bytes_per_s"]);
  if (!latency || !bandwidth || !(*bandwidth > 0.0)) return std::nullopt;
  const double bytes = point["wire_bytes"].get<double>() / *bandwidth;
  return std::clamp(*latency / (*latency + bytes), 0.0, 1.0);
}

// The fixed part and the bytes where a line tells them apart.
std::vector<BudgetTerm> collectives(const Json& point, Seconds all) {
  const std::optional<double> fixed = fixed_share(point);
  if (!fixed) return {{'H', all}};
  return {{'l', all * *fixed}, {'=', all * (1.0 - *fixed)}};
}

// T1 above T_N, both made of measured parts; nothing where there is no prediction.
std::string bars(const Json& point) {
  const Json& parameters = point["parameters"];
  const Json& budget = point["predicted"]["budget"];
  if (budget.empty()) return "";
  const double serial =
      term(budget, "empty") + term(budget, "serial") + term(budget, "serial_extra");
  const double compute = term(budget, "compute");
  const double communication = term(budget, "communication");
  const auto tn = number(point["measured"]["tn_s"]);
  const double unpredicted = std::max(0.0, tn.value_or(0.0) - serial - compute - communication);
  std::vector<BudgetRow> rows;
  if (const auto whole = value_of(parameters["compute_s"])) {
    rows.push_back(
        {"one device",
         {{'S', Seconds(value_of(parameters["serial_s"]).value_or(0.0))}, {'C', Seconds(*whole)}},
         value_text(point["measured"]["t1_s"], Unit::seconds)});
  }
  std::vector<BudgetTerm> split{{'S', Seconds(serial)}, {'C', Seconds(compute)}};
  for (const BudgetTerm& part : collectives(point, Seconds(communication))) split.push_back(part);
  split.push_back({'.', Seconds(unpredicted)});
  rows.push_back({"split", split, value_text(point["measured"]["tn_s"], Unit::seconds)});
  return budget_rows(rows);
}

std::string row(std::string_view name, std::string_view time, std::string_view error,
                std::string_view unseen, std::string_view verdict) {
  const std::string line =
      fmt::format("  {:<11}{:<24}{:<21} {:<9}{}", name, time, error, unseen, verdict);
  return wrapped(line.substr(0, 2), std::string_view(line).substr(2), 13);
}

std::string prediction_row(const Json& point, std::string_view name, const char* time,
                           const std::string& prefix, const char* verdict) {
  const Json& comparison = point["comparison"];
  const auto error = number(comparison[prefix + "relative_error"]);
  const auto unseen = number(comparison[prefix + "out_of_session_error"]);
  return row(name, estimate_text(point["predicted"][time], Unit::seconds),
             error ? percent_text(*error, interval(comparison[prefix + "interval"])) : "unknown",
             unseen ? fmt::format("{:.1f} %", 100.0 * *unseen) : "unknown",
             upper(comparison[verdict].get<std::string>()));
}

// The first row is called by the kind of its times: "measured" is real devices alone.
std::string predictions(const Json& result, const Json& point) {
  return row(result["times_are"].get<std::string>(),
             apart_text(point["measured"], "tn_s", "tn_interval_s", Unit::seconds), "T_N is off by",
             "unseen", "verdict") +
         prediction_row(point, "predicted", "tn_s", "", "model_verdict") +
         prediction_row(point, "formula", "tn_from_fit_s", "fit_", "fit_verdict");
}

// Where T_N less its prediction went: the terms of at least a tenth of it, the largest first.
std::string where_it_went(const Json& difference, const Json& attribution) {
  const auto total = value_of(difference);
  if (!total) return "";
  std::vector<std::pair<double, std::string>> terms;
  for (const Json& entry : attribution) {
    const double amount = number(entry["value_s"]).value_or(0.0);
    if (std::abs(amount) < 0.1 * std::abs(*total)) continue;
    std::string name = entry["term"].get<std::string>();
    std::replace(name.begin(), name.end(), '_', ' ');
    terms.emplace_back(amount, std::move(name));
  }
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return std::abs(a.first) > std::abs(b.first); });
  std::string text = fmt::format("T_N less prediction is {}", signed_seconds(*total));
  for (std::size_t i = 0; i < terms.size(); ++i) {
    text += fmt::format("{} {} {}", i == 0 ? ":" : ",", terms[i].second,
                        signed_seconds(terms[i].first));
  }
  return text;
}

// A prediction that is judged, and the names of its parts in the document.
struct Model {
  const char* name;
  const char* verdict;
  const char* reason;
  const char* error;
  const char* sessions_needed;
  const char* difference;
  const char* attribution;
};
constexpr std::array kModels{Model{"predicted", "model_verdict", "model_reason", "relative_error",
                                   "model_sessions_needed", "difference_s", "attribution"},
                             Model{"formula", "fit_verdict", "fit_reason", "fit_relative_error",
                                   "fit_sessions_needed", "fit_difference_s", "fit_attribution"}};

std::string where_it_went(const Json& point, const Model& model) {
  return where_it_went(point["comparison"][model.difference], point[model.attribution]);
}

// Every verdict with its reason as the document gives it.
std::string full_reasons(const Json& point) {
  const Json& comparison = point["comparison"];
  std::string text = wrapped("    split: ", comparison["split_reason"].get<std::string>(), 6);
  for (const Model& model : kModels) {
    const std::string name = fmt::format("    {}: ", model.name);
    text += wrapped(name, comparison[model.reason].get<std::string>(), 6);
    if (comparison[model.verdict] == "fails") text += wrapped(name, where_it_went(point, model), 6);
  }
  return text;
}

std::string brief_split_reason(const Json& result, const Json& comparison) {
  if (result["node"].contains("no_verdict")) return result["node"]["no_verdict"];
  const auto verdict = comparison["split_verdict"].get<std::string>();
  const double least = 100.0 * comparison["aa"]["least_effect"].get<double>();
  if (verdict == "tie") return fmt::format("within the least effect that counts, {:.2g} %", least);
  if (verdict != "inconclusive") return "";
  return fmt::format("not clear of the least effect that counts, {:.2g} %", least);
}

std::string brief_model_reason(const Json& result, const Json& point, const Model& model) {
  const Json& comparison = point["comparison"];
  if (comparison[model.verdict] == "fails") return where_it_went(point, model);
  if (comparison[model.verdict] == "holds") return "";
  if (comparison[model.error].is_null()) return comparison[model.reason].get<std::string>();
  const Json& needed = comparison[model.sessions_needed];
  if (needed.is_null()) return "more sessions will hardly decide, a quieter machine may";
  const int more = result["rounds"]["sessions"].get<int>() + 1;
  return fmt::format("needs about {} sessions", std::max(more, needed.get<int>()));
}

// What is not plain from the rows, in few words.
std::string brief_reasons(const Json& result, const Json& point) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& clause) {
    if (clause.empty()) return;
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", name, clause);
  };
  add("split", brief_split_reason(result, point["comparison"]));
  for (const Model& model : kModels) add(model.name, brief_model_reason(result, point, model));
  return text.empty() ? "" : wrapped("    ", text, 4);
}

std::string reasons(const Json& result, const Json& point) {
  return result["points"].size() == 1 ? full_reasons(point) : brief_reasons(result, point);
}

std::string pair_line(std::string_view left_name, const std::string& left,
                      std::string_view right_name, const std::string& right) {
  const std::string first = fmt::format("{:<15}{}", left_name, left);
  return wrapped("  ", fmt::format("{:<41}{:<13}{}", first, right_name, right), 4);
}

std::string parameters(const Json& point) {
  const Json& p = point["parameters"];
  std::string text =
      pair_line("serial S", estimate_text(p["serial_s"], Unit::seconds), "divisible C",
                estimate_text(p["compute_s"], Unit::seconds)) +
      pair_line("efficiency eta", estimate_text(p["efficiency"], Unit::ratio), "collective",
                estimate_text(p["collective_s"], Unit::seconds)) +
      pair_line("fixed cost l", estimate_text(p["latency_s"], Unit::seconds), "bandwidth B",
                estimate_text(p["bandwidth_bytes_per_s"], Unit::bytes_per_second));
  if (!p["shard_slowdown"].is_null()) {
    text += wrapped("  ",
                    fmt::format("one share: {} alone, {} with all ranks at work: {}",
                                value_text(p["shard_alone_s"]["value"], Unit::seconds),
                                value_text(p["shard_s"]["value"], Unit::seconds),
                                estimate_text(p["shard_slowdown"], Unit::factor)),
                    4);
  }
  return text;
}

std::string break_even(const Json& value, std::string_view symbol, Unit unit,
                       std::string_view none) {
  return value.is_null() ? std::string(none)
                         : fmt::format("above {} {}", symbol, value_text(value, unit));
}

std::string break_evens(const Json& point) {
  const Json& predicted = point["predicted"];
  const Json& parameters = point["parameters"];
  if (parameters["compute_s"].is_null() || parameters["collective_s"].is_null()) return "";
  const bool line = !parameters["bandwidth_bytes_per_s"].is_null();
  const std::string text = fmt::format(
      "splitting pays {}; {}; {}",
      break_even(predicted["break_even_compute_s"], "C*", Unit::seconds, "at no finite C*"),
      break_even(predicted["min_bandwidth_bytes_per_s"], "B", Unit::bytes_per_second,
                 line ? "no B is enough" : "B unknown"),
      break_even(predicted["min_efficiency"], "eta", Unit::ratio, "no eta is enough"));
  return wrapped("  ", text, 4);
}

// Only where a price was given.
std::string cost(const Json& point) {
  if (!point.contains("cost")) return "";
  const Json& cost = point["cost"];
  const auto money = [&cost](const char* key) {
    return cost[key].is_null() ? std::string("unknown")
                               : fmt::format("{:.3g}", cost[key]["value"].get<double>());
  };
  // Unknown where the operation does not fit on one device.
  const std::string factor = cost["ratio"].is_null() ? "" : fmt::format(" (x{})", money("ratio"));
  return wrapped(
      "  ",
      fmt::format("a million tokens cost {} on one device, {} split{}, at {:g} per "
                  "device and hour",
                  money("one_device_per_million_tokens"), money("split_per_million_tokens"), factor,
                  cost["price_per_device_hour"].get<double>()),
      4);
}

}  // namespace

std::string legend(const Json& points, std::size_t shown) {
  bool lines = false;
  bool no_lines = false;
  for (std::size_t i = 0; i < shown; ++i) {
    if (points[i]["predicted"]["budget"].empty()) continue;
    (fixed_share(points[i]) ? lines : no_lines) = true;
  }
  std::string text = "\n";
  if (lines)
    text += "  S serial  C divisible  l collectives, fixed  = their bytes  . not predicted\n";
  if (no_lines) text += "  S serial  C divisible  H collectives  . not predicted\n";
  return text +
         "  [low, high] is the 95 % interval over sessions; unseen is the typical error of\n"
         "  predicting from the other sessions; formula is S + C/(N eta) + Q (l + V/B)\n";
}

std::string label(const Json& point, const Json& points) {
  std::string text = counted(point["operation"]["tokens"].get<long long>(), "token");
  for (const char* key : {"d_model", "d_ff", "layers", "dtype"}) {
    const Json& own = point["operation"][key];
    const bool differs = std::any_of(points.begin(), points.end(), [&](const Json& other) {
      return other["operation"][key] != own;
    });
    if (!differs) continue;
    text += ", ";
    if (own.is_string()) {
      text += own.get<std::string>();
    } else if (std::string_view(key) == "layers") {
      text += counted(own.get<long long>(), "layer");
    } else {
      text += fmt::format("{} {}", key, own.get<long long>());
    }
  }
  return text;
}

std::string estimate_text(const Json& estimate, Unit unit) {
  if (estimate.is_null()) return "unknown";
  return apart_text(estimate, "value", "interval", unit);
}

std::string apart_text(const Json& object, const char* key, const char* interval_key, Unit unit) {
  if (object[key].is_null()) return "unknown";
  return number_text(object[key].get<double>(), interval(object[interval_key]), unit);
}

std::string reason(const Json& point, const std::string& path) {
  const Json& reasons = point["reasons"];
  return reasons.contains(path) ? reasons[path].get<std::string>() : "unknown";
}

std::string point_screen(const Json& result, std::size_t index) {
  const Json& point = result["points"][index];
  return heading(point) + split_line(result, point) + bars(point) + predictions(result, point) +
         reasons(result, point) + parameters(point) + break_evens(point) + cost(point);
}

}  // namespace splitbench::cli
