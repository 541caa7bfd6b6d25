#include "results/result_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/distributions.h"
#include "model/invalid_input.h"
#include "results/fingerprint.h"
#include "results/json_text.h"
#include "results/result_document.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

constexpr std::size_t kMostSessions = 1000;  // of a protocol
constexpr double kLargestLog = 1420;  // above ln(1.8e308 / 2.2e-308), of the two ends of a double

// A document whose members are asked for by pointer.
class Reader {
 public:
  Reader(std::string_view text, const std::string& source) : source_(source) {
    document_ = parse_json(text, source_);
    if (!document_.is_object() || document_.value("schema", Json()) != kResultSchema) {
      fail("/schema", "\"" + std::string(kResultSchema) + "\", as 'splitbench run' writes it");
    }
  }

  const Json& document() const { return document_; }

  [[noreturn]] void fail(const std::string& pointer, const std::string& expected) const {
    throw InvalidInput("", fmt::format("{}: at {}: expected {}", source_, pointer, expected));
  }

  const Json& at(const std::string& pointer) const {
    const Pointer path(pointer);
    if (!document_.contains(path)) fail(pointer, "a value");
    return document_.at(path);
  }

  std::string text(const std::string& pointer) const {
    const Json& value = at(pointer);
    if (!value.is_string()) fail(pointer, "a text");
    return value.get<std::string>();
  }

  double number(const std::string& pointer) const {
    const Json& value = at(pointer);
    if (!value.is_number()) fail(pointer, "a number");
    return value.get<double>();
  }

  std::size_t count(const std::string& pointer) const {
    const Json& value = at(pointer);
    if (!value.is_number_unsigned()) fail(pointer, "a count");
    return value.get<std::size_t>();
  }

  // Carries out `read` on a part of it; whatever is wrong there is said of `pointer`.
  template <class Read>
  auto part(const std::string& pointer, const std::string& expected, Read read) const {
    try {
      return read(at(pointer));
    } catch (const Json::exception&) {
      fail(pointer, expected);
    } catch (const InvalidInput&) {  // a name that is none
      fail(pointer, expected);
    }
  }

 private:
  std::string source_;
  Json document_;
};

NodeDescription node_of(const Reader& reader) {
  Json node = reader.at("/node");
  node["backend"] = reader.text("/backend");
  node["times_are"] = reader.text("/times_are");
  node["notes"] = Json::array();
  return node_from_json(node);
}

// Why a member of a point is null, as the document says it.
std::string reason(const Reader& reader, const std::string& point, const std::string& path) {
  const Json& reasons = reader.at(point + "/reasons");
  // Of a section that is null as a whole the reason stands under its own name.
  for (const std::string& key : {path, path.substr(0, path.find('.'))}) {
    if (reasons.contains(key) && reasons[key].is_string()) return reasons[key].get<std::string>();
  }
  return "the result does not say why it has none";
}

double session_sd(const Interval& interval, Scale scale, std::size_t sessions) {
  const double width = scale == Scale::logarithmic ? std::log(interval.high / interval.low)
                                                   : interval.high - interval.low;
  const double t = student_quantile(0.5 + kResultConfidence / 2.0, static_cast<int>(sessions) - 1);
  return width / 2.0 / t * std::sqrt(static_cast<double>(sessions));
}

struct Place {
  const char* value;     // below the point: "/measured/t1_s"
  const char* interval;  // "/measured/t1_interval_s"
  const char* reason;    // "measured.t1_s"
};

Answer<Estimate> estimate(const Reader& reader, const std::string& point, const Place& place,
                          Scale scale, std::size_t sessions) {
  const Json& document = reader.document();
  const std::string value_path = point + place.value;
  const Pointer value(value_path);
  if (!document.contains(value) || document.at(value).is_null()) {
    return Answer<Estimate>::none(reason(reader, point, place.reason));
  }
  Estimate found{.value = reader.number(value_path), .scale = scale, .sessions = sessions};
  const Json& ends = reader.at(point + place.interval);
  if (ends.is_null() || sessions < 2) {
    found.sessions = 1;
    return found;
  }
  found.interval = reader.part(point + place.interval, "[low, high]", [](const Json& list) {
    return Interval{list.at(0).get<double>(), list.at(1).get<double>()};
  });
  if (found.interval->low > found.interval->high) {
    reader.fail(point + place.interval, "[low, high], the lower end first");
  }
  if (!found.interval->contains(found.value)) {
    reader.fail(value_path, fmt::format("a value inside of its interval, {} to {}",
                                        found.interval->low, found.interval->high));
  }
  if (scale == Scale::logarithmic && !(found.interval->low > 0.0)) {
    return Answer<Estimate>::none("its interval reaches 0, so it has no ratio");
  }
  found.session_sd = session_sd(*found.interval, scale, sessions);
  return found;
}

Answer<double> least_effect(const Reader& reader, const std::string& point) {
  const std::string path = point + "/comparison/aa/least_effect";
  if (!reader.document().contains(Pointer(path)) || reader.at(path).is_null()) {
    return Answer<double>::none("nothing was compared");
  }
  const double effect = reader.number(path);
  if (!(effect > 0.0 && effect <= kLargestLog)) {
    reader.fail(path, fmt::format("the logarithm of a ratio of times, above 0 and at most {:.0f}",
                                  kLargestLog));
  }
  return effect;
}

// So many sessions as a protocol may have.
std::size_t sessions_of(const Reader& reader) {
  const char* path = "/rounds/sessions";
  const std::size_t sessions = reader.count(path);
  if (sessions > kMostSessions) reader.fail(path, fmt::format("at most {}", kMostSessions));
  return sessions;
}

std::string verdict(const Reader& reader, const std::string& point, const std::string& key) {
  const std::string path = point + "/comparison/" + key;
  return reader.document().contains(Pointer(path)) ? reader.text(path) : "";
}

PointView point_view(const Reader& reader, const std::string& point, std::size_t sessions) {
  const Json& operation = reader.at(point + "/operation");
  PointView view;
  view.key = {{"operation", operation}};
  for (const char* member : {"ranks", "launch", "cache", "organisation"}) {
    view.key[member] = reader.at(point + "/" + member);
  }
  view.label = reader.part(point, "an operation on ranks", [](const Json& place) {
    const Json& op = place.at("operation");
    return fmt::format("{} x {} x {}, {} layers, {}, {} ranks, {}, {}",
                       op.at("tokens").get<std::int64_t>(), op.at("d_model").get<std::int64_t>(),
                       op.at("d_ff").get<std::int64_t>(), op.at("layers").get<std::int64_t>(),
                       op.at("dtype").get<std::string>(), place.at("ranks").get<int>(),
                       place.at("launch").get<std::string>(), place.at("cache").get<std::string>());
  });
  view.collectives = reader.number(point + "/collectives");
  const auto read = [&](const Place& place, Scale scale = Scale::logarithmic) {
    return estimate(reader, point, place, scale, sessions);
  };
  view.t1 = read({"/measured/t1_s", "/measured/t1_interval_s", "measured.t1_s"});
  view.tn = read({"/measured/tn_s", "/measured/tn_interval_s", "measured.tn_s"});
  view.speedup =
      read({"/measured/speedup/value", "/measured/speedup/interval", "measured.speedup"});
  view.serial =
      read({"/parameters/serial_s/value", "/parameters/serial_s/interval", "parameters.serial_s"});
  view.compute = read(
      {"/parameters/compute_s/value", "/parameters/compute_s/interval", "parameters.compute_s"});
  view.efficiency = read(
      {"/parameters/efficiency/value", "/parameters/efficiency/interval", "parameters.efficiency"});
  view.latency = read(
      {"/parameters/latency_s/value", "/parameters/latency_s/interval", "parameters.latency_s"},
      Scale::linear);
  view.bandwidth =
      read({"/parameters/bandwidth_bytes_per_s/value", "/parameters/bandwidth_bytes_per_s/interval",
            "parameters.bandwidth_bytes_per_s"});
  view.least_effect = least_effect(reader, point);
  view.split_verdict = verdict(reader, point, "split_verdict");
  view.model_verdict = verdict(reader, point, "model_verdict");
  return view;
}

}  // namespace

ResultView result_view(std::string_view text, const std::string& source) {
  const Reader reader(text, source);
  ResultView view;
  view.id = reader.text("/id");
  view.backend = reader.text("/backend");
  view.outcome = reader.part("/outcome", "complete, partial or void", [](const Json& outcome) {
    return run_outcome(outcome.get<std::string>());
  });
  view.protocol = reader.text("/protocol/name");
  view.started_utc = reader.text("/provenance/started_utc");
  view.command = reader.part("/provenance/command", "a list of texts",
                             [](const Json& list) { return list.get<std::vector<std::string>>(); });
  reader.part("/times_are", "measured, virtual, tabulated or stand-in",
              [](const Json& kind) { return times_are(kind.get<std::string>()); });
  const NodeDescription node = reader.part("/node", "devices, links and software",
                                           [&](const Json&) { return node_of(reader); });
  view.times_are = node.times_are;
  view.fingerprint = fingerprint(node);
  view.devices = summary(node);
  view.no_verdict = node.no_verdict;
  const std::size_t sessions = sessions_of(reader);
  const Json& points = reader.at("/points");
  if (!points.is_array() || points.empty()) reader.fail("/points", "a list that is not empty");
  view.environment = reader.part("/node", "what 'splitbench run' writes",
                                 [&](const Json&) { return environment(reader.document()); });
  for (std::size_t i = 0; i < points.size(); ++i) {
    view.points.push_back(point_view(reader, fmt::format("/points/{}", i), sessions));
  }
  return view;
}

Json to_json(const ResultView& view) {
  return {{"id", view.id},
          {"started_utc", view.started_utc},
          {"protocol", view.protocol},
          {"outcome", name(view.outcome)},
          {"backend", view.backend},
          {"times_are", name(view.times_are)},
          {"devices", view.devices},
          {"fingerprint", view.fingerprint}};
}

const PointView* find_point(const ResultView& view, const nlohmann::ordered_json& key) {
  const auto found = std::find_if(view.points.begin(), view.points.end(),
                                  [&key](const PointView& point) { return point.key == key; });
  return found == view.points.end() ? nullptr : &*found;
}

}  // namespace splitbench
