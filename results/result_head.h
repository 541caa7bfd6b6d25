// What every result document begins with, and every point of it: what was asked, and of what.
#pragma once

#include <nlohmann/json.hpp>

#include "results/run_record.h"

namespace splitbench {

// Up to the points.
nlohmann::ordered_json document_head(const RunRecord& run, RunOutcome outcome,
                                     nlohmann::ordered_json notes, nlohmann::ordered_json rounds);
// Why something of it is null.
nlohmann::ordered_json document_reasons(const RunRecord& run);

// Up to the checks. `memory`: the peak of every rank; `choices`: of the backend.
nlohmann::ordered_json point_head(const RunRecord& run, const Operation& operation,
                                  const nlohmann::ordered_json& memory,
                                  const nlohmann::ordered_json& choices);

}  // namespace splitbench
