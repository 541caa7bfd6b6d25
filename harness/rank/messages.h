// What the supervisor and the ranks of a session tell each other.
//
// Rank 0 sends, in this order:   Joined, Ready, Calibrated, a RoundFinished each, Done
// The supervisor answers:        nothing, nothing, Follow, Stored, nothing
// Any rank may send Failed, and is at its end then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "harness/backend.h"
#include "harness/rank/step_costs.h"

namespace splitbench {

// What a session is told: in the mailbox of its shared memory before its processes start.
struct SessionOrder {
  std::filesystem::path module;  // of the backend
  DeviceRequest request;
  Protocol protocol;
  std::uint64_t seed = 1;
  Launch launch = Launch::direct;
  int session = 0;
  nlohmann::ordered_json pinned = nullptr;  // choices of the first session, one per point
  std::vector<Correctness> verified = {};   // in the first session, one per point; empty in it
  Seconds patience{60};
};

struct Joined {};  // every rank is there, its libraries have started
struct Ready {     // verified; the record has no health yet
  SessionRecord session;
};
struct Calibrated {
  StepCosts costs;
  Seconds first_verification{};  // of every point
  Seconds verification{};        // of every point, once more
};
struct RoundFinished {
  RoundRecord round;
};
struct Done {
  SessionRecord session;
};
struct Failed {
  std::string message;
};
using Report = std::variant<Joined, Ready, Calibrated, RoundFinished, Done, Failed>;

struct Follow {  // from here on
  Protocol protocol;
};
struct Stored {};
using Reply = std::variant<Follow, Stored>;

// The ways back throw HarnessError, nlohmann::json::exception, InvalidInput or BadDocument for what
// is none of these.
nlohmann::json encode(const SessionOrder& order);
SessionOrder decode_order(const nlohmann::json& message);
nlohmann::json encode(const Report& report);
Report decode_report(const nlohmann::json& message);
nlohmann::json encode(const Reply& reply);
Reply decode_reply(const nlohmann::json& message);

}  // namespace splitbench
