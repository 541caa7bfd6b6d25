#include "results/run_record.h"

#include <array>

#include "model/invalid_input.h"
#include "protocols/named.h"

namespace splitbench {
namespace {

constexpr std::array<Named<RunOutcome>, 3> kOutcomes{{
    {RunOutcome::complete, "complete", "every planned round is stored"},
    {RunOutcome::partial, "partial", "ended early; what is stored is whole rounds"},
    {RunOutcome::invalid, "void", "a check failed, or no round counts: no number does"},
}};

}  // namespace

std::string_view name(RunOutcome outcome) {
  return name_in<RunOutcome>(kOutcomes, outcome);
}

RunOutcome run_outcome(std::string_view name) {
  if (const auto found = find_in<RunOutcome>(kOutcomes, name)) return *found;
  throw InvalidInput("outcome", "unknown outcome '" + std::string(name) + "'");
}

}  // namespace splitbench
