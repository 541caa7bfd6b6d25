// Runs as text, splitbench.runs/1: one JSON document that another store takes in, raw samples
// included. Nothing is lost, and a run that was taken in is written again as the same bytes.
//
// JSON has no infinity and no NaN, and its strings are UTF-8. A number that is not finite is
// {"$not_finite": "nan"|"inf"|"-inf"}, a string that is not UTF-8 {"$bytes": "hexadecimal"}, an
// object with such keys, or with keys that begin with $, {"$members": [[key, value], ...]}.
//
// `checksum` of a run is checksum_text() of the rest of it as one line of JSON: a text in which a
// single digit changed is refused.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "results/store.h"

namespace splitbench {

inline constexpr std::string_view kRunsSchema = "splitbench.runs/1";

nlohmann::ordered_json to_json(const StoredRun& stored);

// `source`: the name of the text in messages. Throws InvalidInput, "SOURCE: /POINTER: expected
// ...", for a text that is no such document.
std::vector<StoredRun> runs_from_text(const std::string& text, const std::string& source);

}  // namespace splitbench
