// What one rank does in a session: prepare, verify, warm up, then rounds of arms. Every rank runs
// this alike; rank 0 talks to the supervisor.
//
// Rank 0 sends, in this order:   ready, calibrated, a round each, done
// The supervisor answers:        nothing, the protocol to follow, stored, nothing
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/backend.h"

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
  Seconds patience{60};
};

nlohmann::json to_json(const SessionOrder& order);
// Throws HarnessError or BadDocument.
SessionOrder session_order(const nlohmann::json& json);

// How rank 0 talks to the supervisor; the other ranks have none.
class Correspondent {
 public:
  virtual ~Correspondent() = default;
  virtual void send(const nlohmann::json& message) = 0;
  virtual nlohmann::json receive() = 0;
};

// Throws HarnessError; `supervisor` is null but on rank 0.
void run_session(const SessionOrder& order, Node& node, SharedRegion& region,
                 Correspondent* supervisor);

}  // namespace splitbench
