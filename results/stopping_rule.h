// The sessions of a stored run as a stopping rule takes them.
#pragma once

#include <nlohmann/json.hpp>

#include "model/stopping.h"
#include "results/store.h"

namespace splitbench {

// Fed with every session of the run; `forecast` is that of these sessions. Throws InvalidInput for
// records that contradict the protocol.
StoppingRule stopping_rule(const StoredRun& stored, const nlohmann::ordered_json& forecast);

}  // namespace splitbench
