// What an analysis says of one point, as the sections of a result document. The keys are those of
// splitbench.result/1; results/schema/result.schema.json describes each.
//
// Every section comes with the reasons of its nulls, under "SECTION.KEY" in `reasons`; the members
// of a list go by their name: "attribution.rest.interval", "collective_sweep.4096.interval_s".
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/analysis.h"
#include "model/measurements.h"

namespace splitbench {

// From the forecast alone: what is written before anything is compared. `least_change`: of an arm
// from its first rounds to its last, below which it is steady.
nlohmann::ordered_json arms_json(const std::vector<ArmSummary>& arms, double least_change,
                                 nlohmann::ordered_json& reasons);
// The collective at every other size that was measured, ascending.
nlohmann::ordered_json sweep_json(const ParameterSamples& samples, double confidence,
                                  nlohmann::ordered_json& reasons);
nlohmann::ordered_json parameters_json(const Parameters& parameters, double confidence,
                                       nlohmann::ordered_json& reasons);
nlohmann::ordered_json predicted_json(const Forecast& forecast, nlohmann::ordered_json& reasons);

// From the judgement.
nlohmann::ordered_json measured_json(const Measured& measured, int ranks,
                                     nlohmann::ordered_json& reasons);
// What a million tokens through the operation cost on one device and split over `ranks`, each at
// `price_per_hour`: price / 3600 x devices x time / tokens x 10^6. `ratio` is split over one
// device.
nlohmann::ordered_json cost_json(const Measured& measured, int ranks, std::int64_t tokens,
                                 double price_per_hour, nlohmann::ordered_json& reasons);
nlohmann::ordered_json comparison_json(const PointJudgement& judgement,
                                       nlohmann::ordered_json& reasons);
// `section`: its name in the document, for `reasons`.
nlohmann::ordered_json attribution_json(const Attribution& attribution, const std::string& section,
                                        nlohmann::ordered_json& reasons);

}  // namespace splitbench
