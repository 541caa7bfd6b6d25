// Processes on a device that are none of the scenario's: fault other-process with the numbers
// "pid" and "bytes". Its own processes are not listed, as in a container that hides them.
#pragma once

#include <vector>

namespace splitbench::standin {

struct Occupant {
  unsigned pid = 0;
  unsigned long long bytes = 0;
};

std::vector<Occupant> occupants(int device);
unsigned long long occupied_bytes(int device);

}  // namespace splitbench::standin
