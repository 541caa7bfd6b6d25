#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/cuda/checks.h"
#include "harness/backends/cuda/runtime.h"
#include "model/statistics.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLeastBytes = std::size_t{1} << 20;
constexpr std::size_t kMostBytes = std::size_t{256} << 20;
constexpr double kLongEnough = 1e-3;  // seconds of one copy, beside which its start is little
constexpr std::size_t kWord = 4;
constexpr int kRepeats = 3;
constexpr int kSmallRepeats = 15;

// A device that sends: what it sends, where it keeps what it receives, and its stopwatch.
class Sender {
 public:
  Sender(int device, std::size_t bytes)
      : device_(device),
        stream_((check(cudaSetDevice(device), "cudaSetDevice"), make_stream())),
        from_(bytes),
        to_(bytes),
        start_(make_event()),
        end_(make_event()) {}

  int device() const { return device_; }

  // Queues `copies` of them, one after another, between two events.
  void start(const Sender& receiver, std::size_t bytes, int copies) const {
    check(cudaSetDevice(device_), "cudaSetDevice");
    record(start_.get(), stream_.get());
    for (int i = 0; i < copies; ++i) {
      copy_between(receiver.to_.data(), receiver.device_, from_.data(), device_, bytes,
                   stream_.get());
    }
    record(end_.get(), stream_.get());
  }
  double seconds() const {
    check(cudaSetDevice(device_), "cudaSetDevice");
    synchronize(stream_.get());
    return seconds_between(start_.get(), end_.get());
  }

 private:
  int device_;
  Stream stream_;
  DeviceMemory from_;
  DeviceMemory to_;
  Event start_;
  Event end_;
};

double one_way(const Sender& from, const Sender& to, std::size_t bytes, int repeats) {
  std::vector<double> seconds;
  for (int i = 0; i < repeats; ++i) {
    from.start(to, bytes, 1);
    seconds.push_back(from.seconds());
  }
  return median(seconds);
}

// Both at once, several copies each so that they overlap.
double both_ways(const Sender& a, const Sender& b, std::size_t bytes) {
  constexpr int kCopies = 2;
  a.start(b, bytes, kCopies);
  b.start(a, bytes, kCopies);
  return std::max(a.seconds(), b.seconds()) / kCopies;
}

std::size_t long_enough(const Sender& from, const Sender& to) {
  one_way(from, to, kLeastBytes, 1);  // the first one opens the way
  const double seconds = one_way(from, to, kLeastBytes, 1);
  std::size_t bytes = kLeastBytes;
  for (double expected = seconds; expected < kLongEnough && bytes < kMostBytes; expected *= 2) {
    bytes *= 2;
  }
  return bytes;
}

// A rate that was not measured, as where no time passed, is none.
Json rate(double bytes, double seconds) {
  return seconds > 0 ? Json(bytes / seconds) : Json(nullptr);
}

Json measure(const Sender& from, const Sender& to) {
  const std::size_t bytes = long_enough(from, to);
  const auto size = static_cast<double>(bytes);
  return {{"from", from.device()},
          {"to", to.device()},
          {"bytes", bytes},
          {"bandwidth_bytes_per_s", rate(size, one_way(from, to, bytes, kRepeats))},
          {"both_ways_bytes_per_s", rate(2 * size, both_ways(from, to, bytes))},
          {"latency_s", one_way(from, to, kWord, kSmallRepeats)}};
}

}  // namespace

void measure_copies(const DeviceRequest& request, Examiner& examiner) {
  examiner.looks("", "CUDA runtime: memory on each device");
  std::vector<Sender> senders;
  senders.reserve(request.devices.size());
  for (const int device : request.devices) senders.emplace_back(device, kMostBytes);
  for (const Sender& from : senders) {
    for (const Sender& to : senders) {
      if (&from != &to && can_access_peer(from.device(), to.device())) {
        enable_peer_access(from.device(), to.device());
      }
    }
  }
  Json copies = Json::array();
  for (const Sender& from : senders) {
    for (const Sender& to : senders) {
      if (&from == &to) continue;
      examiner.looks("", fmt::format("CUDA runtime: timing copies from device {} to device {}",
                                     from.device(), to.device()));
      copies.push_back(measure(from, to));
      examiner.learned("copies", copies);  // so that what was measured stays
    }
  }
}

}  // namespace splitbench::cuda
