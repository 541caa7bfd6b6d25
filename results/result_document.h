// The result document, splitbench.result/1: everything a run says, made from its records alone. No
// device, no clock: stored records give the same document anywhere, in any later year.
//
// Base units, the unit in the key's suffix. What has no answer is null, and `reasons` (of the
// document, and of each point) says why by path. results/schema/result.schema.json describes every
// key.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "results/run_record.h"

namespace splitbench {

inline constexpr std::string_view kResultSchema = "splitbench.result/1";

// `rounds` in any order. Void rounds are counted and left out, and so are those of a session that
// left no record of its checks. Where a check failed or no round counts the outcome is "void",
// whatever `outcome` says, and the document has no numbers; so it is of a run that was refused
// before any session because a check of its `preflight` failed.
//
// `forecast`: what forecast_document() said and the store kept (results/forecast_document.h), at
// least of these points; of a void run it is not looked at. What it says is not computed again.
//
// Throws nlohmann::json::exception for a forecast that is none, InvalidInput for records that
// contradict the protocol (model/measurements.h check, results/point_samples.h).
nlohmann::ordered_json result_document(const RunRecord& run,
                                       const std::vector<SessionRecord>& sessions,
                                       std::vector<RoundRecord> rounds, RunOutcome outcome,
                                       const nlohmann::ordered_json& forecast);
// With a forecast made now: of a run that stored none.
nlohmann::ordered_json result_document(const RunRecord& run,
                                       const std::vector<SessionRecord>& sessions,
                                       std::vector<RoundRecord> rounds, RunOutcome outcome);

}  // namespace splitbench
