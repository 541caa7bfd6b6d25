// What the classes of an examination found, put together to one result a check.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "harness/backend.h"
#include "harness/preflight/examination.h"

namespace splitbench {

// The worst that was found of it; what several found that bad, together. Unknown where nobody did.
CheckResult together(std::string_view check, const std::vector<CheckResult>& results);

// Check `device-count`, by three sources: a pass where all of them agree, unknown where only one
// speaks. The runtime sees fewer where a variable says so.
CheckResult count_devices(const nlohmann::ordered_json& facts, const DeviceRequest& asked);

// Without what is about other devices than those that the runtime was asked for: the management
// library tells of all that the machine has, under numbers of its own. All, where the runtime did
// not come so far as to say which they are. A check that is left without a result is unknown.
std::vector<CheckResult> of_devices_asked_for(std::vector<CheckResult> found,
                                              const nlohmann::ordered_json& facts);

// One per check of these classes, in the table's order.
std::vector<CheckResult> in_order(const std::vector<CheckResult>& found,
                                  const std::vector<Risk>& looked_at);

}  // namespace splitbench
