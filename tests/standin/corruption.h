// What becomes of bytes on a way that corrupts them without an error (fault corrupt-peer).
#pragma once

#include <cstddef>
#include <vector>

namespace splitbench::standin {

// The fault's number "mode".
enum class Corruption {
  drop = 0,    // nothing arrives
  mirror = 1,  // arrives where only the sender looks: for the receiver, nothing does
  stale = 2,   // what was sent before arrives
  zero = 3,    // zeros arrive
  swap = 4,    // each two neighbouring 32-bit words arrive in each other's place
  page = 5,    // one page of 4096 bytes, the second, does not arrive
  tail = 6,    // the last four bytes do not arrive
};

// The fault where it strikes now on the way from one device to another, by its numbers "rank" (the
// sender) and "to" (the receiver; all, where it is not given).
bool strikes_way(int from, int to, Corruption& how);

// What the receiver finds: `there` before, `sent` now, `previous` the time before (may be empty).
// All of one size.
void arrive(Corruption how, std::byte* there, const std::byte* sent,
            const std::vector<std::byte>& previous, std::size_t bytes);

}  // namespace splitbench::standin
