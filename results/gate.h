// A run against those before it, splitbench.gate/1: an answer for every point's speedup and T_N.
// results/schema/gate.schema.json describes every key. The rule is that of model/gate.h.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gate.h"
#include "results/series.h"

namespace splitbench {

inline constexpr std::string_view kGateSchema = "splitbench.gate/1";

// A run that was named for the baseline to begin with.
struct NamedBaseline {
  std::string id;
  std::optional<ResultView> view;  // none: there is no such run, or it has no result
};

struct GateRequest {
  ResultView judged;  // without points where it was not finished
  // Of its machine and protocol, the oldest first. Those that began after `judged` are not looked
  // at, and neither is that itself.
  std::vector<SeriesRun> series;
  std::optional<NamedBaseline> baseline;   // else what was accepted last, else the first run
  std::optional<ResultView> confirmation;  // made at once after `judged`: then all is provisional
  GateRule speedup;
  GateRule time = time_rule();
};

// The worst outcome of all points is that of the run: regression, unknown, learning, pass. Results
// whose times are not measured on real devices are unknown, whatever their numbers.
nlohmann::ordered_json gate_document(const GateRequest& request);

// Why the gate takes no such run at all; empty where it does.
std::string gate_refusal(const ResultView& run);

// The newest run of a check falls short: what --confirm looks at again.
bool has_shortfall(const nlohmann::ordered_json& gate);

}  // namespace splitbench
