// A protocol's acceptance as the criteria of an analysis.
#pragma once

#include <cstddef>

#include "model/acceptance.h"
#include "protocols/protocol.h"

namespace splitbench {

// Of a run of that many sessions: only where the protocol declares early stopping does it matter.
AcceptanceCriteria criteria(const Protocol& protocol, std::size_t sessions);

}  // namespace splitbench
