// "Did you mean ...?": the known word that a misspelt one most resembles.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace splitbench {

// "; did you mean 'WORD'?" for the candidate with the least edit distance (insertions, deletions,
// substitutions; Levenshtein 1966), or nothing where more than a third of
// the word, rounded to the nearest whole number, would change (one change is always allowed).
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace splitbench
