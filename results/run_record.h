// What a run leaves behind, before any analysis: everything that a later version needs to analyse
// it again, without a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/measurements.h"
#include "protocols/plan.h"
#include "protocols/protocol.h"
#include "results/check_result.h"
#include "results/correctness.h"
#include "results/device_health.h"
#include "results/node.h"

namespace splitbench {

// The block of one step, on whichever ranks it ran.
struct StepBlock {
  Step step;
  Block block;
};

// One pass over all arms of all points; the unit that is stored.
struct RoundRecord {
  int session = 0;
  int round = 0;  // from 0, warm-up not counted
  std::vector<StepBlock> blocks;
  std::string void_reason;           // an outside cause that was recorded; empty: the round counts
  std::vector<DeviceHealth> health;  // at its end, one per rank; empty where nothing looks
};

// What a session found out about itself before and after its rounds.
struct SessionRecord {
  int session = 0;
  std::vector<Correctness> correctness;  // one per point
  std::vector<Bytes> memory_peak;        // one per rank: most memory its process held
  // What the backend chose for each point, in keys of its own: algorithms, time source.
  nlohmann::ordered_json choices = nlohmann::ordered_json::array();
  nlohmann::ordered_json stand_in = nullptr;  // the true times that stand-ins used on rank 0
  nlohmann::ordered_json health = nlohmann::ordered_json::array();  // one object per rank
  std::vector<DeviceHealth> devices_before;  // after the warm-up; empty where nothing looks
  std::optional<Seconds> start_up;  // from starting the rank processes until all had joined
  int warm_up_rounds = 0;
  bool warmed_up = true;  // false: times still changed when no more rounds were left for it

  friend bool operator==(const SessionRecord&, const SessionRecord&) = default;
};

// How a run ended.
enum class RunOutcome {
  complete,  // every planned round is stored
  partial,   // ended early; what is stored is whole rounds
  invalid,   // "void" in documents: a check failed, or no round counts
};
std::string_view name(RunOutcome outcome);
// Throws InvalidInput for a name it does not know.
RunOutcome run_outcome(std::string_view name);

struct Provenance {
  std::string version;
  std::string commit;       // empty: unknown
  std::string started_utc;  // "2026-01-31T12:00:00Z"
  std::uint64_t seed = 0;
  std::vector<std::string> command;

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

// The run itself: fixed when it starts, but for `notes`.
struct RunRecord {
  std::string id;     // unique in a store: started_utc and the seed's digits
  Protocol protocol;  // as it was carried out, after fitting to the budget
  NodeDescription node;
  Launch launch = Launch::direct;  // resolved, never automatic
  Provenance provenance;
  std::vector<CheckResult>
      preflight;                   // of the node, before anything was timed; empty: none is made
  std::vector<std::string> notes;  // what was dropped, what weakens it; a sentence each
  // Of one device, in whatever money it was given in; nothing where nobody asked what it costs.
  std::optional<double> price_per_hour = {};

  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

}  // namespace splitbench
