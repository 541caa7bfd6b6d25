// The proof as a document, splitbench.proof/1, and as tables in Markdown. The same order gives the
// same document, but for `run`: when, how long, what it cost.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/proof/study.h"

namespace splitbench::proof {

inline constexpr std::string_view kProofSchema = "splitbench.proof/1";

// {"schema", "version", "commit", "order", "claims": {"met", "unclear", "missed"}, "studies",
// "run"}.
nlohmann::ordered_json proof_document(const std::vector<Study>& studies, const Order& order,
                                      nlohmann::ordered_json run);

// Shares in percent, with their 95 % intervals in brackets.
std::string proof_tables(const nlohmann::ordered_json& document);

// A claim was missed: something is wrong, by more than chance.
bool any_missed(const std::vector<Study>& studies);

}  // namespace splitbench::proof
