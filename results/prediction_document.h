// The model's answers as documents: splitbench.prediction/1 and its siblings for replicas and jobs.
//
// Base units, the unit in the key's suffix. What has no answer is null, and `reasons` says why by
// key; `notes` says what a number that exists does not.
#pragma once

#include <nlohmann/json.hpp>

#include "model/jobs.h"
#include "model/replicas.h"
#include "model/split_time.h"

namespace splitbench {

// For checked parameters.
nlohmann::ordered_json prediction_document(const SplitParameters& parameters);

// splitbench.replicas/1. Throws InvalidInput as replica_throughput does.
nlohmann::ordered_json replicas_document(const Replicas& replicas);

// splitbench.jobs/1: the three assignments side by side. Throws InvalidInput as schedule does.
nlohmann::ordered_json jobs_document(const JobList& list);

}  // namespace splitbench
