#include "model/acceptance.h"

#include "model/invalid_input.h"

namespace splitbench {
namespace {

void require_share(double value, const char* field) {
  if (!(value > 0.0 && value < 1.0)) {
    throw InvalidInput(field, "expected a value above 0 and below 1");
  }
}

void require_effect(double value, const char* field) {
  if (!(value > 0.0 && value <= 1.0)) {
    throw InvalidInput(field, "expected a value above 0, at most 1");
  }
}

}  // namespace

void check(const AcceptanceCriteria& criteria) {
  require_effect(criteria.model_tolerance, "model_tolerance");
  require_effect(criteria.least_effect, "least_effect");
  require_share(criteria.confidence, "confidence");
  require_share(criteria.judging_confidence, "judging_confidence");
  require_share(criteria.equivalence_confidence, "equivalence_confidence");
  if (criteria.resamples == 0) throw InvalidInput("resamples", "expected at least one");
  if (!(criteria.model_floor.value() >= 0.0)) {
    throw InvalidInput("model_floor", "expected a time of at least 0");
  }
  if (!(criteria.unexplained_floor.value() >= 0.0)) {
    throw InvalidInput("unexplained_floor", "expected a time of at least 0");
  }
  if (criteria.draws == 0) throw InvalidInput("draws", "expected at least 1");
}

}  // namespace splitbench
