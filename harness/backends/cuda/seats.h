// Which device each rank has, as the runtime counts them.
#pragma once

#include <vector>

#include "harness/backend.h"

namespace splitbench::cuda {

// One per rank: those asked for, else the first ones of the `visible` (>= 1), around again where
// ranks may share and there are fewer. Ranks that are not limited (0) are one per device.
std::vector<int> seats_of(const DeviceRequest& request, int visible);

bool share_a_device(const std::vector<int>& seats);
int ranks_on(int device, const std::vector<int>& seats);
std::vector<int> each_once(const std::vector<int>& seats);  // ascending

}  // namespace splitbench::cuda
