// What a rank receives of the others' contributions: what they sent, or, over links that corrupt
// (fault corrupt-peer on the sender's device), something else, with no error. NCCL_P2P_DISABLE=1
// goes through the host's memory and is not affected.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace splitbench::standin {

// The fault's number "mode".
enum class Corruption {
  drop = 0,    // nothing arrives: the receiver finds zeros
  mirror = 1,  // arrives where only the sender looks: the receiver finds zeros
  stale = 2,   // the message before this one arrives
  zero = 3,    // zeros arrive
  swap = 4,    // each two neighbouring 32-bit words arrive in each other's place
};

class Fabric {
 public:
  // What `receiver` finds of what the device `sender` sent; valid until the next call.
  const std::byte* receive(int receiver, int sender, const std::byte* sent, std::size_t bytes);

 private:
  std::map<int, std::vector<std::byte>> before_;  // by sender
  std::vector<std::byte> found_;
};

}  // namespace splitbench::standin
