#include "harness/backends/cuda/seats.h"

#include <algorithm>
#include <set>

namespace splitbench::cuda {

std::vector<int> seats_of(const DeviceRequest& request, int visible) {
  if (!request.devices.empty()) return request.devices;
  const int most = request.oversubscribe ? request.ranks : std::min(request.ranks, visible);
  std::vector<int> seats;
  for (int rank = 0; rank < (request.ranks == 0 ? visible : most); ++rank) {
    seats.push_back(rank % visible);
  }
  return seats;
}

bool share_a_device(const std::vector<int>& seats) {
  return each_once(seats).size() < seats.size();
}

int ranks_on(int device, const std::vector<int>& seats) {
  return static_cast<int>(std::count(seats.begin(), seats.end(), device));
}

std::vector<int> each_once(const std::vector<int>& seats) {
  const std::set<int> distinct(seats.begin(), seats.end());
  return {distinct.begin(), distinct.end()};
}

}  // namespace splitbench::cuda
