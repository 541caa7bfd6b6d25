// Split, replicate or leave alone: for the shortest answer and for the most answers, from a result
// document or an estimate, with what eats the gain and what would turn the answer.
//
// A split of N devices gives speedup answers in the time of one; N replicas give N E, E the scaling
// efficiency of replicas (docs/formulas.md "Replicas"), which nobody measured here. So replicas
// give more answers as long as E is above speedup / N, the parallel efficiency of the split.
#pragma once

#include <nlohmann/json.hpp>

namespace splitbench {

inline constexpr const char* kAdviceSchema = "splitbench.advice/1";

// Of a splitbench.result/1 or a splitbench.estimate/1. Schema: results/schema/advice.schema.json.
// Throws InvalidInput where it is neither, or has no points.
nlohmann::ordered_json advice_document(const nlohmann::ordered_json& document);

}  // namespace splitbench
