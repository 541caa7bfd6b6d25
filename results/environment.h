// What surrounded a run and may explain that its numbers differ from another's.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace splitbench {

struct EnvironmentFact {
  std::string what;  // "software.nccl", "link 0-1", "sm_clock_hz of rank 0"
  std::string value;
  double number = 0.0;  // of a clock; else 0
};
using Environment = std::vector<EnvironmentFact>;

// Of a result document: versions of splitbench and of the software, devices and how they are
// joined, checks that did not pass, clocks (the mean over sessions of the middle between least and
// most), sampling, and of simulated devices every member of their scenario. Throws
// nlohmann::json::exception for a document that is none.
Environment environment(const nlohmann::ordered_json& result);

struct EnvironmentChange {
  std::string what;
  std::string before;  // empty: it was not there
  std::string after;   // likewise
};
// In the order of `before`, then what is new. A clock has changed where it moved by more than 2 %.
std::vector<EnvironmentChange> changes(const Environment& before, const Environment& after);

// [{"what", "before", "after"}], null for what was not there.
nlohmann::ordered_json to_json(const std::vector<EnvironmentChange>& changes);

}  // namespace splitbench
