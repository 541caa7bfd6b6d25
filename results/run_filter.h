// Which runs of a list are wanted.
#pragma once

#include <optional>
#include <string>

#include "results/run_record.h"

namespace splitbench {

struct RunSummary;

// What is empty takes every run.
struct RunFilter {
  std::string backend;
  std::string protocol;
  std::string fingerprint;  // or its first digits
  std::string since;        // the first "YYYY-MM-DD", UTC
  std::string until;        // the last one, all of that day included
  std::optional<RunOutcome> outcome;

  bool takes(const RunSummary& run) const;
};

// Throws InvalidInput for what is no day like "2026-01-31".
std::string date(const std::string& text);

}  // namespace splitbench
