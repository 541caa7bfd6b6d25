#include "model/split_time.h"

#include <algorithm>
#include <cmath>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

constexpr double kRounding = 1e-12;

void require_non_negative(double value, const char* field) {
  if (!(value >= 0.0) || std::isinf(value)) {
    throw InvalidInput(field, "expected a finite value of at least 0");
  }
}

// What one collective may cost before the split loses: (C (1 - 1/(N eta)) - X) / Q.
Seconds gain_per_collective(const SplitParameters& p) {
  const double divided_share = 1.0 / (p.ranks * p.efficiency);
  return (p.compute * (1.0 - divided_share) - p.serial_extra) / static_cast<double>(p.collectives);
}

}  // namespace

void check(const SplitParameters& p) {
  require_non_negative(p.serial.value(), "serial");
  require_non_negative(p.serial_extra.value(), "serial_extra");
  require_non_negative(p.compute.value(), "compute");
  require_non_negative(p.latency.value(), "latency");
  require_non_negative(p.bytes.value(), "bytes");
  if (!(p.efficiency > 0.0) || std::isinf(p.efficiency)) {
    throw InvalidInput("efficiency",
                       "expected a finite value above 0 (1 is a perfect split, a "
                       "measured one may exceed 1)");
  }
  if (p.collectives < 0) throw InvalidInput("collectives", "expected a count of at least 0");
  if (p.ranks < 1) throw InvalidInput("ranks", "expected at least 1");
  const bool carries_bytes = p.collectives > 0 && p.bytes.value() > 0.0;
  if (std::isnan(p.bandwidth.value()) || p.bandwidth.value() < 0.0 ||
      (carries_bytes && p.bandwidth.value() == 0.0)) {
    throw InvalidInput("bandwidth", "expected a rate above 0");
  }
  if (!std::isfinite((one_device_time(p) + split_time(p)).value())) {
    throw InvalidInput("", "the times of this split are too large to add up");
  }
}

Seconds one_device_time(const SplitParameters& p) {
  return p.serial + p.compute;
}

Seconds collective_time(const SplitParameters& p) {
  return p.bytes.value() == 0.0 ? p.latency : p.latency + p.bytes / p.bandwidth;
}

Seconds communication_time(const SplitParameters& p) {
  return p.collectives == 0 ? Seconds(0) : static_cast<double>(p.collectives) * collective_time(p);
}

Seconds divided_compute_time(const SplitParameters& p) {
  return p.compute / (p.ranks * p.efficiency);
}

Seconds split_time(const SplitParameters& p) {
  return p.serial + p.serial_extra + divided_compute_time(p) + communication_time(p);
}

Seconds overlap_bound(const SplitParameters& p) {
  return p.serial + p.serial_extra + std::max(divided_compute_time(p), communication_time(p));
}

Answer<double> speedup(const SplitParameters& p) {
  if (split_time(p).value() == 0.0) {
    return Answer<double>::none("the split takes no time: serial, compute and communication are 0");
  }
  return one_device_time(p) / split_time(p);
}

Answer<double> parallel_efficiency(const SplitParameters& p) {
  Answer<double> gain = speedup(p);
  if (!gain) return gain;
  return *gain / p.ranks;
}

Answer<Seconds> break_even_compute(const SplitParameters& p) {
  const double parallel = p.ranks * p.efficiency;
  if (parallel <= 1.0) {
    return Answer<Seconds>::none(
        "ranks x efficiency is at most 1: the divided work takes no less time than the whole, so "
        "no "
        "amount of compute pays for the communication");
  }
  return (communication_time(p) + p.serial_extra) / (1.0 - 1.0 / parallel);
}

Answer<BytesPerSecond> min_bandwidth(const SplitParameters& p) {
  if (p.collectives == 0 || p.bytes.value() == 0.0) {
    return Answer<BytesPerSecond>::none("nothing is exchanged: bandwidth does not matter");
  }
  const Seconds left_for_bytes = gain_per_collective(p) - p.latency;
  if (left_for_bytes.value() <= 0.0) {
    return Answer<BytesPerSecond>::none(
        "what dividing the work saves does not even pay the fixed costs: no bandwidth is enough");
  }
  return p.bytes / left_for_bytes;
}

Answer<double> min_efficiency(const SplitParameters& p) {
  const Seconds left_for_compute = p.compute - communication_time(p) - p.serial_extra;
  if (left_for_compute.value() <= 0.0) {
    return Answer<double>::none(
        "communication alone takes as long as the whole compute: no efficiency is enough");
  }
  return p.compute / (p.ranks * left_for_compute);
}

Answer<Seconds> max_latency(const SplitParameters& p) {
  if (p.collectives == 0) {
    return Answer<Seconds>::none("nothing is exchanged: the fixed cost does not matter");
  }
  const Seconds bytes_time = p.bytes.value() == 0.0 ? Seconds(0) : p.bytes / p.bandwidth;
  const Seconds left_for_latency = gain_per_collective(p) - bytes_time;
  if (left_for_latency.value() <= 0.0) {
    return Answer<Seconds>::none(
        "what dividing the work saves does not even pay for moving the bytes: no fixed cost is low "
        "enough");
  }
  return left_for_latency;
}

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::faster:
      return "faster";
    case Outcome::slower:
      return "slower";
    case Outcome::tie:
      return "tie";
  }
  return "unknown";
}

Outcome compare(Seconds one_device, Seconds split) {
  const Seconds difference = split - one_device;
  if (std::abs(difference.value()) <= kRounding * one_device.value()) return Outcome::tie;
  return difference.value() < 0.0 ? Outcome::faster : Outcome::slower;
}

}  // namespace splitbench
