// What the program's exit status tells a script. Source: docs/cli.md "Exit codes".
#pragma once

#include <csignal>

namespace splitbench::cli {

enum ExitCode : int {
  kDone = 0,               // the job was done and nothing that was required is violated
  kRequirementFailed = 1,  // the job was done and something required failed
  kBadInput = 2,           // usage or bad input; nothing written
  kCannotRunHere = 3,      // this environment cannot run it; the mending line is printed
  kNoVerdict = 4,          // a verdict that was required could not be reached
  kFault = 5,              // a fault during the run; what was stored before it stays
  kInterrupted = 130,      // SIGINT: stored rounds kept, result marked partial
  kBrokenPipe = 141,       // nobody reads standard output any more: as SIGPIPE ends a program
  kTerminated = 143,       // SIGTERM: likewise
};

// Of what SIGINT, SIGTERM or SIGHUP ended.
constexpr ExitCode ended_by(int signal) {
  return signal == SIGINT ? kInterrupted : kTerminated;
}

}  // namespace splitbench::cli
