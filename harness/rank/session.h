// What one rank does in a session: prepare, verify, warm up, then rounds of arms. Every rank runs
// this alike; rank 0 talks to the supervisor (harness/rank/messages.h).
#pragma once

#include "harness/backend.h"
#include "harness/rank/messages.h"

namespace splitbench {

// How rank 0 talks to the supervisor; the other ranks have none.
class Correspondent {
 public:
  virtual ~Correspondent() = default;
  virtual void send(const Report& report) = 0;
  virtual Reply receive() = 0;
};

// Throws HarnessError; `supervisor` is null but on rank 0.
void run_session(const SessionOrder& order, Node& node, SharedRegion& region,
                 Correspondent* supervisor);

}  // namespace splitbench
