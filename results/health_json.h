// What the devices went through in a run, per session and device: from the readings at the end of
// every round, void ones too.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "results/run_record.h"

namespace splitbench {

// The section `health` of a result document.
nlohmann::ordered_json health_json(std::span<const SessionRecord> sessions,
                                   std::span<const RoundRecord> rounds);

// What of it a reader must know: a sentence each.
std::vector<std::string> health_notes(std::span<const SessionRecord> sessions,
                                      std::span<const RoundRecord> rounds);

}  // namespace splitbench
