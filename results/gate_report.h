// A gate's answer as other programs want it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench {

// JUnit XML: a test case for each check; a regression is a failure, an unknown an error, learning a
// skipped one. What every check saw, one that passed too, is its system-out; the run, the outcome
// and whether it is provisional are properties of the suite. Characters that XML 1.0 cannot hold
// are left out.
std::string junit_text(const nlohmann::ordered_json& gate);

// Workflow commands of GitHub Actions: ::error:: for a regression, ::warning:: for an unknown,
// ::notice:: for learning and for a gate that passed as a whole. Nothing of a name or a reason is a
// command of its own, nor a control character.
std::string github_text(const nlohmann::ordered_json& gate);

}  // namespace splitbench
