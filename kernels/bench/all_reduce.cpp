// The all-reduce by NCCL over the devices present, from one process with group calls; the time of
// an iteration is the longest over devices. Bytes are the message's, not the wire's.
#include <nccl.h>

#include <memory>

#include "kernels/bench/device.h"

namespace splitbench::kernels::bench {
namespace {

void check_nccl(ncclResult_t result) {
  if (result != ncclSuccess)
    throw std::runtime_error(std::string("NCCL: ") + ncclGetErrorString(result));
}

struct Seat {
  Seat(int device, std::size_t bytes) : stream(device), buffer(bytes) {
    check(cudaMemset(buffer.data(), 0, bytes));
    check(cudaDeviceSynchronize());
  }
  TimedStream stream;  // makes the device current, so it comes first
  Buffer buffer;
};

class Communicators {
 public:
  explicit Communicators(int devices) : all_(static_cast<std::size_t>(devices)) {
    check_nccl(ncclCommInitAll(all_.data(), devices, nullptr));
  }
  ~Communicators() {
    for (ncclComm_t one : all_) ncclCommDestroy(one);
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  void queue(std::vector<std::unique_ptr<Seat>>& seats, std::size_t count) const {
    check_nccl(ncclGroupStart());
    for (std::size_t i = 0; i < all_.size(); ++i)
      check_nccl(ncclAllReduce(seats[i]->buffer.data(), seats[i]->buffer.data(), count, ncclFloat,
                               ncclSum, all_[i], seats[i]->stream.get()));
    check_nccl(ncclGroupEnd());
  }

 private:
  std::vector<ncclComm_t> all_;
};

void run_all_reduce(benchmark::State& state, int devices) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const Communicators communicators(devices);
  std::vector<std::unique_ptr<Seat>> seats;
  for (int device = 0; device < devices; ++device)
    seats.push_back(std::make_unique<Seat>(device, bytes));
  communicators.queue(seats, bytes / sizeof(float));
  for ([[maybe_unused]] auto _ : state) {
    for (auto& seat : seats) seat->stream.start();
    communicators.queue(seats, bytes / sizeof(float));
    for (auto& seat : seats) seat->stream.end();
    double longest = 0;
    for (auto& seat : seats) longest = std::max(longest, seat->stream.seconds());
    state.SetIterationTime(longest);
  }
  check(cudaSetDevice(0));
  count_bytes(state, static_cast<double>(bytes));
}

}  // namespace

void register_all_reduces(int devices) {
  auto* const all_reduce = benchmark::RegisterBenchmark(
      ("all_reduce/fp32/devices:" + std::to_string(devices)).c_str(),
      [devices](benchmark::State& state) {
        if (devices < 2) {
          state.SkipWithError("an all-reduce needs two devices; here is one");
          return;
        }
        run_all_reduce(state, devices);
      });
  all_reduce->ArgName("bytes")->RangeMultiplier(16)->Range(1 << 10, 1 << 28)->UseManualTime();
}

}  // namespace splitbench::kernels::bench
