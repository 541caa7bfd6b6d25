// What `splitbench fit` says of the times of an all-reduce that someone has.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/answer.h"
#include "model/quantity.h"
#include "results/import/import.h"
#include "results/normality.h"

namespace splitbench {

inline constexpr const char* kFitSchema = "splitbench.fit/1";

struct FitInput {
  std::string file;
  ImportedRuns imported;
};

struct FitRequest {
  std::vector<FitInput> inputs;
  std::optional<int> ranks;  // of which runs; needed where a text does not tell, or has several
  std::optional<Bytes> at;   // message bytes
  // Whether the bandwidth is normal of its link, where that is known: normality_of().
  Answer<Normality> normal = Answer<Normality>::none("no text says how the devices are joined");
};

// Schema: results/schema/fit.schema.json. Sizes are message bytes, as nccl-tests counts them; V, of
// which bandwidth is, is 2 (N-1)/N of them. Throws BadDocument, with file and line, for times that
// must not be used (wrong results, one rank, independent jobs, no rows) or not together
// (joined_spread()), InvalidInput where nothing is left to fit, or `at` is outside.
nlohmann::ordered_json fit_document(const FitRequest& request);

}  // namespace splitbench
