// Every check of a node, before anything is timed on it. Each class of risk is looked at by a
// process of its own (`splitbench examination`), side by side, and whatever one does not survive or
// does not finish is the outcome of the check it was at; the checks it did not come to are unknown.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/backend.h"
#include "harness/preflight/examination.h"
#include "harness/process/executable.h"

namespace splitbench {

struct PreflightPlan {
  std::filesystem::path module;        // of the backend
  DeviceRequest devices;               // ranks 0: every device that is visible
  std::vector<Risk> risks;             // beside `runtime`; `copies` takes `peers`
  Seconds silence{7};                  // the longest of a child
  std::optional<Seconds> whole = {};   // the longest of everything, all children together
  Doing doing = {};                    // told what is asked of which library, by one at a time
  std::string program = kThisProgram;  // what is started as a child; another in tests
};

// All that is checked before a run; `doctor` looks at `staged`, too.
std::vector<Risk> risks_of_a_run();

struct Preflight {
  std::vector<CheckResult> results;  // one per check of these risks, in the table's order
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();  // by risk, as examined
};

Preflight look_at_node(const PreflightPlan& plan);

// How long the libraries took to start, which is in no other time: {"cuda", "nccl"}, seconds, null
// where that did not come about.
nlohmann::ordered_json start_up_of(const nlohmann::ordered_json& facts);

// By the first of the modules that finds a driver it can use; where none does, what the first one
// found. Without a module most is unknown.
Preflight look_with_a_module(const std::vector<std::filesystem::path>& modules, PreflightPlan plan);

// A sentence for each that weakens a result: warnings, and essential checks without an answer.
std::vector<std::string> notes_of(const std::vector<CheckResult>& results);

// The entry of the child. An exit status.
int run_examination_process(pid_t parent);

}  // namespace splitbench
