#include "results/forecast_document.h"

#include <string>
#include <utility>

#include "model/analysis.h"
#include "results/analysis_json.h"
#include "results/answer_writer.h"
#include "results/counted_rounds.h"
#include "results/criteria.h"
#include "results/point_samples.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEager =
    "eager arms carry launch costs; predictions are made from graph-launched arms";

// Why arms are shown alone; nothing where predictions are made from them.
std::optional<std::string> why_not_predicted(const RunRecord& run) {
  if (!run.node.no_verdict.empty()) return run.node.no_verdict;
  if (run.launch == Launch::eager) return kEager;
  return std::nullopt;
}

std::string path_of(int session) {
  return "sessions." + std::to_string(session) + ".";
}

Answer<double> or_none(std::optional<double> value, const char* reason) {
  return value ? Answer<double>(*value) : Answer<double>::none(reason);
}

Json session_json(const SessionPrediction& session, Json& reasons) {
  Json out{{"session", session.session}, {"empty_s", session.empty},
           {"serial_s", session.serial}, {"serial_extra_s", session.serial_extra},
           {"shard_s", session.shard},   {"communication_s", session.communication},
           {"point_s", session.point},   {"without_collective_s", session.without_collective}};
  AnswerWriter answers(out, reasons, path_of(session.session));
  answers.write("line_communication_s", session.line_communication);
  answers.write("from_fit_s", session.from_fit);
  answers.write("one_device_s", or_none(session.one_device, "C was not measured"));
  answers.write("clock_hz", or_none(session.clock_hz, "the device's clock was not recorded"));
  return out;
}

Answer<double> answer(const Json& session, const char* key, const Json& reasons) {
  const Json& value = session.at(key);
  if (!value.is_null()) return value.get<double>();
  const std::string path = path_of(session.at("session").get<int>()) + key;
  return Answer<double>::none(reasons.at(path).get<std::string>());
}

std::optional<double> optional(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

SessionPrediction prediction_from_json(const Json& session, const Json& reasons) {
  return {.session = session.at("session").get<int>(),
          .empty = session.at("empty_s").get<double>(),
          .serial = session.at("serial_s").get<double>(),
          .serial_extra = session.at("serial_extra_s").get<double>(),
          .shard = session.at("shard_s").get<double>(),
          .communication = session.at("communication_s").get<double>(),
          .point = session.at("point_s").get<double>(),
          .without_collective = session.at("without_collective_s").get<double>(),
          .line_communication = answer(session, "line_communication_s", reasons),
          .from_fit = answer(session, "from_fit_s", reasons),
          .one_device = optional(session.at("one_device_s")),
          .clock_hz = optional(session.at("clock_hz"))};
}

Json point_json(const ParameterSamples& samples, const RunRecord& run) {
  const AcceptanceCriteria accept = criteria(run.protocol, samples.sessions.size());
  const auto why_not = why_not_predicted(run);
  const Forecast forecast = why_not ? arms_alone(samples, accept, *why_not)
                                    : splitbench::forecast(samples, accept, run.provenance.seed);
  Json point;
  Json reasons = Json::object();
  point["arms"] = arms_json(forecast.arms, accept.least_effect, reasons);
  point["collective_sweep"] = sweep_json(samples, accept.confidence, reasons);
  point["parameters"] = parameters_json(forecast.parameters, accept.confidence, reasons);
  point["predicted"] = predicted_json(forecast, reasons);
  point["notes"] = forecast.parameters.notes;
  if (const auto& least = forecast.parameters.min_efficiency.value; least && *least > 1) {
    point["notes"].push_back("min_efficiency is above 1: not by local tuning alone");
  }
  // The reasons above are the result document's, those of sessions are of this one alone.
  Json of_sessions = Json::object();
  point["sessions"] = Json::array();
  for (const SessionPrediction& session : forecast.prediction.sessions) {
    point["sessions"].push_back(session_json(session, of_sessions));
  }
  point["reasons"] = std::move(reasons);
  point["session_reasons"] = std::move(of_sessions);
  return point;
}

}  // namespace

Json forecast_document(const RunRecord& run, const std::vector<SessionRecord>& sessions,
                       std::vector<RoundRecord> rounds) {
  Json document{{"schema", kForecastSchema}, {"id", run.id}, {"points", Json::array()}};
  if (any_check_failed(sessions)) return document;
  const std::vector<RoundRecord> judged =
      with_void_reasons(std::move(rounds), sessions, run.protocol.points.size());
  for (const PointSamples& samples : point_samples(run.protocol, judged)) {
    document["points"].push_back(point_json(samples.parameters, run));
  }
  return document;
}

Prediction forecast_prediction(const Json& point, double confidence) {
  const Json& reasons = point.at("session_reasons");
  std::vector<SessionPrediction> sessions;
  for (const Json& session : point.at("sessions")) {
    sessions.push_back(prediction_from_json(session, reasons));
  }
  const Json& of_results = point.at("reasons");
  const std::string reason =
      sessions.empty() ? of_results.at("predicted.tn_s").get<std::string>() : "";
  return over_sessions(std::move(sessions), reason, confidence);
}

std::optional<int> forecast_device(const Json& point) {
  const Json& device = point.at("parameters").at("device");
  if (device.is_null()) return std::nullopt;
  return device.get<int>();
}

}  // namespace splitbench
