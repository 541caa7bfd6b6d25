// A gate's answer as other programs want it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench {

// JUnit XML: a test case for each check; a regression is a failure, an unknown an error, learning a
// skipped one. Characters that XML 1.0 cannot hold are left out.
std::string junit_text(const nlohmann::ordered_json& gate);

// Workflow commands of GitHub Actions: ::error:: for a regression, ::warning:: for an unknown,
// ::notice:: for learning and for a gate that passed as a whole.
std::string github_text(const nlohmann::ordered_json& gate);

}  // namespace splitbench
