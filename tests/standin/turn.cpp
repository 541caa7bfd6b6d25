// What running one operation means for a device's clock.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/standin/device.h"
#include "tests/standin/queue.h"
#include "tests/standin/scenario.h"
#include "tests/standin/truth.h"

namespace splitbench::standin {
namespace {

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double uniform(std::uint64_t bits) {  // above 0, up to 1
  return static_cast<double>((bits >> 11) + 1) * 0x1p-53;
}

// A normal number that depends on the seed, the device and the time alone (Box and Muller 1958).
double normal_at(int device, Time time) {
  const std::uint64_t key = mix(mix(scenario().seed + static_cast<std::uint64_t>(device)) ^
                                static_cast<std::uint64_t>(time.count()));
  constexpr double kTau = 6.283185307179586;
  return std::sqrt(-2 * std::log(uniform(mix(key)))) * std::cos(kTau * uniform(mix(key + 1)));
}

double throttling(int device) {
  const Fault* fault = strike("throttle", device);
  return fault == nullptr ? 1 : fault->number("factor", 2);
}

// The error that a fault brings with this kernel, or cudaSuccess.
cudaError_t injected_error(int device) {
  if (const Fault* fault = strike("sticky-error", device)) {
    return static_cast<cudaError_t>(fault->number("code", cudaErrorIllegalAddress));
  }
  if (const Fault* fault = strike("lost-device", device)) {
    return static_cast<cudaError_t>(fault->number("code", cudaErrorUnknown));
  }
  return cudaSuccess;
}

}  // namespace

void Turn::take(double seconds) {
  const Time time = from_seconds(seconds);
  spent_ += time;
  now_ += time;
  if (!virtual_time()) sleep_until(now_);
}

void Turn::spend(double seconds) {
  if (stated_) seconds = std::max(0.0, *stated_ - scenario().launch_s);
  if (kind_ == Kind::kernel) seconds *= throttling(device_);
  const double noise = scenario().noise;
  if (noise > 0) seconds *= std::exp(noise * normal_at(device_, now_));
  take(seconds);
}

void Turn::spend_in_all(double seconds) {
  spend(std::max(0.0, seconds - scenario().launch_s));
}

void Turn::wait_for(Time time) {
  now_ = std::max(now_, time);
}

Time run_operation(const Operation& operation, int device, Time start, std::string& previous,
                   int occurrence) {
  const bool is_work = operation.kind != Kind::bookkeeping;
  if (is_work && sticky_error(device) != cudaSuccess) return start;
  if (operation.kind == Kind::kernel) {
    const cudaError_t error = injected_error(device);
    if (error != cudaSuccess) {
      raise(device, error);
      return start;
    }
  }
  Turn turn(device, virtual_time() ? start : monotonic_now());
  turn.kind_ = operation.kind;
  turn.previous_ = previous;
  turn.occurrence_ = occurrence;
  const auto stated = scenario().table_s.find(operation.name);
  if (stated != scenario().table_s.end()) turn.stated_ = stated->second;
  const bool is_launched = operation.kind == Kind::kernel || operation.kind == Kind::collective;
  if (is_launched) turn.take(scenario().launch_s);
  if (operation.body) operation.body(turn);
  advance_device_clock(device, turn.now());
  if (is_launched) {
    record_work(operation.name, turn.spent_);
    previous = operation.name;
  }
  return turn.now();
}

}  // namespace splitbench::standin
