// A protocol: what is measured, how often, and what will count as an answer, written down before
// the measurement. The document format is protocols/FORMAT.md.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/acceptance.h"
#include "model/operation.h"
#include "model/quantity.h"
#include "protocols/arm.h"
#include "protocols/document.h"
#include "protocols/setting.h"

namespace splitbench {

inline constexpr std::string_view kProtocolSchema = "splitbench.protocol/1";

// A verdict takes at least so many sessions, and so many rounds in each.
inline constexpr std::int64_t kVerdictSessions = 6;
inline constexpr std::int64_t kVerdictRounds = 5;

struct Sampling {
  std::int64_t sessions = kVerdictSessions;
  std::int64_t rounds = kVerdictRounds;  // per session, after warm-up
  std::int64_t warmup_rounds = 2;        // per session, the fewest
  Seconds block_min{0.005};              // short arms repeat until a block lasts so long
  Seconds block_max{0.020};
  Seconds budget{60.0};  // for everything

  friend bool operator==(const Sampling&, const Sampling&) = default;
};

struct CollectiveSweep {
  // Exponents of two relative to the operation's own message; 0 is the `collective` arm itself.
  std::vector<double> around{-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0};
  std::vector<Bytes> grid{Bytes(4096), Bytes(65536), Bytes(1048576)};  // coarse

  friend bool operator==(const CollectiveSweep&, const CollectiveSweep&) = default;
};

struct Acceptance {
  double model_error = AcceptanceCriteria{}.model_tolerance;     // delta, relative to T_N
  Seconds model_error_floor = AcceptanceCriteria{}.model_floor;  // delta is at least this over T_N
  double least_effect = AcceptanceCriteria{}.least_effect;  // relative; smaller speedups are a tie
  bool early_stopping = false;                              // looks at 6, 10, 15 and 20 sessions

  friend bool operator==(const Acceptance&, const Acceptance&) = default;
};

struct Protocol {
  std::string name;
  std::string purpose;   // a sentence
  std::string expected;  // the answer that is expected, in words; empty where none is
  std::string source;    // where the shapes are from; empty where nobody says
  std::vector<Operation> points;
  int ranks = 2;
  Organisation organisation = Organisation::split;
  Launch launch = Launch::automatic;
  Cache cache = Cache::hot;
  std::vector<Arm> arms;  // in the order of arms()
  Sampling sampling;
  CollectiveSweep collective_sweep;
  Acceptance acceptance;
  std::uint64_t seed = 1;

  friend bool operator==(const Protocol&, const Protocol&) = default;
};

bool has_arm(const Protocol& protocol, Arm arm);

// Throws BadDocument; `source` is the name of the text in messages.
Protocol load_protocol(std::string text, std::string source);

// The document with every default written out and one operation per point. Loads back to an equal
// protocol.
nlohmann::ordered_json to_json(const Operation& operation);
nlohmann::ordered_json to_json(const Protocol& protocol);

// For a protocol whose members were changed after loading (options on a command line). Throws
// BadDocument with the pointer of the member and what was expected of it; `source` is what the
// message calls the changed protocol.
void check(const Protocol& protocol, const std::string& source);

}  // namespace splitbench
