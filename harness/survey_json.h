// Surveys and what they are asked, as JSON values between processes of one build, and back. The
// ways back throw nlohmann::json::exception, InvalidInput or BadDocument.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/backend.h"

namespace splitbench {

nlohmann::ordered_json to_json(const DeviceRequest& request);
DeviceRequest device_request_from_json(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_json(const SurveyRequest& request);
SurveyRequest survey_request_from_json(const nlohmann::ordered_json& document);

nlohmann::ordered_json to_json(const Survey& survey);
Survey survey_from_json(const nlohmann::ordered_json& document);

}  // namespace splitbench
