// Runs one session: starts its rank processes, listens, holds the deadline, ends what hangs, and
// says which rank it was. Opens no device library, so nothing in a driver can hang it.
#pragma once

#include <functional>
#include <string>

#include "harness/backend.h"
#include "harness/process/executable.h"
#include "harness/process/interruption.h"
#include "harness/rank/session.h"

namespace splitbench {

// Called as a session goes; each may throw, which ends the session and passes on.
struct SessionEvents {
  // What rank 0 does before its first round, several times a second; may be left out.
  std::function<void(const std::string& doing)> preparing;
  // Verified. The record has no health yet.
  std::function<void(const SessionRecord&)> ready;
  // How long things take -> the protocol to follow.
  std::function<Protocol(const Calibrated&)> calibrated;
  // A round is complete. On return it is stored.
  std::function<void(const RoundRecord&)> round;
};

struct SessionEnd {
  bool interrupted = false;
  std::string fault;  // names rank and phase; empty where there was none
  SessionRecord record;
};

// `program` is what is started as each rank: this program, but in tests.
SessionEnd supervise(const SessionNeeds& needs, const SessionOrder& order,
                     const SessionEvents& events, const Interruption& interruption,
                     const std::string& program = kThisProgram);

}  // namespace splitbench
