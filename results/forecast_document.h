// The forecast, splitbench.forecast/1: what a run says of every point before anything is compared.
//
// It is made from parameter samples alone, and the store keeps it before the comparison is
// computed: its bytes are the same whatever T1 and T_N were. Per point: `arms`, `collective_sweep`,
// `parameters` and `predicted` as the result document has them, the predictions of single
// `sessions` that a comparison takes, `notes`, and `reasons` (`session_reasons`) for what is null.
// From eager arms, and where no time may be judged, nothing is predicted: they are shown.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "model/prediction.h"
#include "results/run_record.h"

namespace splitbench {

inline constexpr std::string_view kForecastSchema = "splitbench.forecast/1";

// No points where a check failed: of such a run nothing is forecast. Throws InvalidInput for
// records that contradict the protocol.
nlohmann::ordered_json forecast_document(const RunRecord& run,
                                         const std::vector<SessionRecord>& sessions,
                                         std::vector<RoundRecord> rounds);

// A point of the document read back: every number as it was. Throw nlohmann::json::exception for
// what is no such point.
Prediction forecast_prediction(const nlohmann::ordered_json& point, double confidence);
std::optional<int> forecast_device(const nlohmann::ordered_json& point);

}  // namespace splitbench
