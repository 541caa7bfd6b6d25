// Asking a backend what it can do, from a process that must not load it: a child loads the module,
// and is given up where it dies or says nothing.
//
// The child (`splitbench inquiry`) reads one JSON object from standard input: `module`, a file, and
// the members of a SurveyRequest. It writes JSON objects to standard output, a line each: `doing`
// with what it is about to ask of which library, and at the end `survey`.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "harness/backend.h"
#include "harness/process/executable.h"

namespace splitbench {

// How a child is asked; what is there by default is for users, and other values for tests.
struct Inquiry {
  std::string program = kThisProgram;
  Seconds silence{20};  // the longest between two lines
};

// A module that cannot be loaded, crashes, hangs or talks nonsense is a Survey, too: `missing` says
// what it was doing. Throws HarnessError where no child can be started.
Survey ask(const std::filesystem::path& module, const SurveyRequest& request,
           const Inquiry& inquiry = {});

// The entry of the child, which ends with `parent` where one is given (not 0). An exit status.
int run_inquiry_process(pid_t parent);

}  // namespace splitbench
