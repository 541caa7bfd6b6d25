#include "model/roofline.h"

#include <algorithm>
#include <array>

namespace splitbench {
namespace {

// By the roofline of a layer: what was reached of it, and the efficiency of a half.
struct Reach {
  double below;  // s; the last has no end
  Interval share;
  Interval efficiency;
};

// Least and most of 475 shapes: ai-dynamo/aiconfigurator at 095f58a (Apache-2.0), bf16 products on
// A100 SXM (105) and H100 SXM (370), by the rates of their datasheets.
constexpr std::array kReach{
    Reach{.below = 10e-6, .share = {0.32, 0.42}, .efficiency = {0.61, 0.80}},
    Reach{.below = 50e-6, .share = {0.32, 0.79}, .efficiency = {0.71, 1.01}},
    Reach{.below = 200e-6, .share = {0.40, 0.90}, .efficiency = {0.70, 1.24}},
    Reach{.below = 500e-6, .share = {0.46, 0.86}, .efficiency = {0.76, 1.10}},
    Reach{.below = 0.0, .share = {0.64, 0.95}, .efficiency = {0.82, 1.18}},
};

// Of the smallest shape of those tables. Whatever is smaller is taken to need as long: what is left
// is starting kernels.
constexpr Seconds kLeastRoofline(5e-6);

// A kernel that reads three matrices and writes one: its start, and the share of the memory's rate.
// Source: post-attention norms of microsoft/vidur at 7d47513 (MIT), A100 and H100, 216 to 3456
// tokens: 0.58 to 0.62 of it, and 2 us over that.
constexpr Interval kSerialStart{1e-6, 5e-6};  // s
constexpr Interval kSerialShare{0.5, 0.95};

const Reach& reach_at(Seconds roofline) {
  const auto found = std::find_if(kReach.begin(), kReach.end(), [roofline](const Reach& reach) {
    return roofline.value() < reach.below;
  });
  return found == kReach.end() ? kReach.back() : *found;
}

Seconds product_roofline(double rows, double inner, double columns, const Operation& operation,
                         const DeviceRates& device) {
  const Flops work(2.0 * rows * inner * columns);
  const Bytes moved =
      element_size(operation.dtype) * (rows * inner + inner * columns + rows * columns);
  return std::max(work / device.peak, moved / device.memory);
}

}  // namespace

Seconds roofline(const Operation& operation, const DeviceRates& device) {
  const auto m = static_cast<double>(operation.tokens);
  const auto d = static_cast<double>(operation.d_model);
  const auto f = static_cast<double>(operation.d_ff);
  return product_roofline(m, d, f, operation, device) +
         product_roofline(m, f, d, operation, device);
}

Interval compute_range(const Operation& operation, const DeviceRates& device) {
  const Seconds least = std::max(roofline(operation, device), kLeastRoofline);
  const Interval share = reach_at(least).share;
  const double all = least.value() * static_cast<double>(operation.layers);
  return {all / share.high, all / share.low};
}

Interval serial_range(const Operation& operation, const DeviceRates& device) {
  const double moved = (4.0 * message_bytes(operation) / device.memory).value();
  const auto layers = static_cast<double>(operation.layers);
  return {layers * (kSerialStart.low + moved / kSerialShare.high),
          layers * (kSerialStart.high + moved / kSerialShare.low)};
}

Interval efficiency_range(const Operation& operation, const DeviceRates& device, int ranks) {
  const Seconds least = std::max(roofline(operation, device), kLeastRoofline);
  const Interval half = reach_at(least).efficiency;
  // Halved again, each time with what a half of that size may lose.
  double low = half.low;
  double high = half.high;
  for (int shards = 4; shards <= ranks; shards *= 2) {
    const Interval next = reach_at(std::max(least * (2.0 / shards), kLeastRoofline)).efficiency;
    low *= next.low;
    high *= next.high;
  }
  return {low, high};
}

}  // namespace splitbench
