#include "harness/survey_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const SessionNeeds& needs) {
  return {{"processes", needs.processes},
          {"shared_bytes", needs.shared_bytes},
          {"environment", needs.environment},
          {"watched", needs.watched}};
}

SessionNeeds needs_from_json(const Json& document) {
  return {.processes = document.at("processes").get<int>(),
          .shared_bytes = document.at("shared_bytes").get<std::size_t>(),
          .environment = document.at("environment").get<std::vector<std::string>>(),
          .watched = document.at("watched").get<std::vector<std::string>>()};
}

}  // namespace

Json to_json(const DeviceRequest& request) {
  return {{"ranks", request.ranks},
          {"devices", request.devices},
          {"oversubscribe", request.oversubscribe},
          {"scenario", {{"name", request.scenario.name}, {"text", request.scenario.text}}}};
}

DeviceRequest device_request_from_json(const Json& document) {
  return {.ranks = document.at("ranks").get<int>(),
          .devices = document.at("devices").get<std::vector<int>>(),
          .oversubscribe = document.at("oversubscribe").get<bool>(),
          .scenario = {.name = document.at("scenario").at("name").get<std::string>(),
                       .text = document.at("scenario").at("text").get<std::string>()}};
}

Json to_json(const SurveyRequest& request) {
  const bool asks_of_a_protocol = !request.protocol.points.empty();
  return {{"devices", to_json(request.devices)},
          {"protocol", asks_of_a_protocol ? to_json(request.protocol) : Json(nullptr)}};
}

SurveyRequest survey_request_from_json(const Json& document) {
  SurveyRequest request{.devices = device_request_from_json(document.at("devices")),
                        .protocol = {}};
  const Json& protocol = document.at("protocol");
  if (!protocol.is_null()) request.protocol = load_protocol(protocol.dump(), "the protocol asked");
  return request;
}

Json to_json(const Survey& survey) {
  return {{"missing", survey.missing},
          {"mend", survey.mend},
          {"unsupported", survey.unsupported},
          {"node", to_json(survey.node)},
          {"best_launch", name(survey.best_launch)},
          {"needs", to_json(survey.needs)}};
}

Survey survey_from_json(const Json& document) {
  return {.missing = document.at("missing").get<std::string>(),
          .mend = document.at("mend").get<std::string>(),
          .unsupported = document.at("unsupported").get<std::string>(),
          .node = node_from_json(document.at("node")),
          .best_launch = find_in(launches(), document.at("best_launch").get<std::string>()).value(),
          .needs = needs_from_json(document.at("needs"))};
}

}  // namespace splitbench
