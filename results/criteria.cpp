#include "results/criteria.h"

#include "model/stopping.h"

namespace splitbench {

AcceptanceCriteria criteria(const Protocol& protocol, std::size_t sessions) {
  AcceptanceCriteria criteria;
  criteria.model_tolerance = protocol.acceptance.model_error;
  criteria.model_floor = protocol.acceptance.model_error_floor;
  criteria.least_effect = protocol.acceptance.least_effect;
  return protocol.acceptance.early_stopping ? at_look(criteria, sessions) : criteria;
}

}  // namespace splitbench
