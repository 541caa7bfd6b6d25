// Gates meet: all that wait for one ticket of one flag go on at the time of the latest.
#pragma once

#include <cstdint>

namespace splitbench::standin {

// A gate on this ticket was queued. Whoever releases the ticket does so after all have been.
void announce_gate(const std::uint32_t* flag, std::uint32_t ticket);

}  // namespace splitbench::standin
