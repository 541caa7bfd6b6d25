#include "model/jobs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <tuple>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

constexpr int kMostDevices = 1'000'000;

void check(const JobList& list) {
  if (list.devices < 1) throw InvalidInput("devices", "expected at least 1 device");
  if (list.devices > kMostDevices) {
    throw InvalidInput("devices", "expected at most " + std::to_string(kMostDevices) + " devices");
  }
  if (list.max_concurrent < 0) {
    throw InvalidInput("max_concurrent", "expected at least 1 job at a time, or 0 for no limit");
  }
  const auto is_bad = [](Seconds time) {
    return !(time.value() >= 0.0) || std::isinf(time.value());
  };
  for (std::size_t i = 0; i < list.lengths.size(); ++i) {
    if (is_bad(list.lengths[i])) {
      throw InvalidInput("jobs", "job " + std::to_string(i + 1) +
                                     " has no usable length; expected a finite time of at least 0");
    }
  }
  if (is_bad(list.assembly)) {
    throw InvalidInput("assembly", "expected a finite time of at least 0");
  }
  if (!std::isfinite(one_device_total(list).value())) {
    throw InvalidInput("jobs", "the lengths are too large to add up");
  }
}

std::vector<std::size_t> list_order(const JobList& list, Assignment assignment) {
  std::vector<std::size_t> order(list.lengths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (assignment == Assignment::longest_first) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return list.lengths[a] > list.lengths[b];
    });
  }
  return order;
}

// Queues of jobs: one that all devices share, or one for each device.
std::vector<std::deque<std::size_t>> queues(const JobList& list, Assignment assignment) {
  const std::vector<std::size_t> order = list_order(list, assignment);
  if (assignment != Assignment::fixed) return {{order.begin(), order.end()}};

  const std::size_t devices = static_cast<std::size_t>(list.devices);
  std::vector<std::deque<std::size_t>> blocks(devices);
  auto next = order.begin();
  for (std::size_t device = 0; device < devices; ++device) {
    const std::size_t count = order.size() / devices + (device < order.size() % devices ? 1 : 0);
    const auto end = next + static_cast<std::ptrdiff_t>(count);
    blocks[device].assign(next, end);
    next = end;
  }
  return blocks;
}

}  // namespace

std::string_view name(Assignment assignment) {
  switch (assignment) {
    case Assignment::fixed:
      return "fixed";
    case Assignment::availability:
      return "availability";
    case Assignment::longest_first:
      return "longest-first";
  }
  return "unknown";
}

Schedule schedule(const JobList& list, Assignment assignment) {
  check(list);
  std::vector<std::deque<std::size_t>> waiting = queues(list, assignment);
  const auto queue_of = [&](int device) -> std::deque<std::size_t>& {
    return waiting[waiting.size() == 1 ? 0 : static_cast<std::size_t>(device)];
  };

  using FreeDevice = std::pair<Seconds, int>;
  using FirstFree = std::priority_queue<FreeDevice, std::vector<FreeDevice>, std::greater<>>;
  FirstFree free_devices;
  for (int device = 0; device < list.devices; ++device) free_devices.emplace(Seconds(0), device);
  using FirstReturned = std::priority_queue<Seconds, std::vector<Seconds>, std::greater<>>;
  FirstReturned licences;
  const int at_once =
      list.max_concurrent == 0 ? list.devices : std::min(list.devices, list.max_concurrent);
  for (int i = 0; i < at_once; ++i) licences.push(Seconds(0));

  Schedule result;
  result.device_busy.assign(static_cast<std::size_t>(list.devices), Seconds(0));
  while (result.jobs.size() < list.lengths.size()) {
    const auto [free_at, device] = free_devices.top();
    free_devices.pop();
    std::deque<std::size_t>& queue = queue_of(device);
    if (queue.empty()) continue;  // this device has done its share
    const Seconds start = std::max(free_at, licences.top());
    licences.pop();
    const std::size_t job = queue.front();
    queue.pop_front();
    const Seconds end = start + list.lengths[job];
    result.jobs.push_back({.job = job, .device = device, .start = start, .end = end});
    result.device_busy[static_cast<std::size_t>(device)] += list.lengths[job];
    result.jobs_end = std::max(result.jobs_end, end);
    licences.push(end);
    free_devices.emplace(end, device);
  }
  std::stable_sort(result.jobs.begin(), result.jobs.end(), [](const auto& a, const auto& b) {
    return std::tie(a.start, a.device) < std::tie(b.start, b.device);
  });
  result.total = result.jobs_end + list.assembly;
  return result;
}

Seconds one_device_total(const JobList& list) {
  return std::accumulate(list.lengths.begin(), list.lengths.end(), list.assembly);
}

}  // namespace splitbench
