#include "harness/backends/cuda/arms.h"

#include <cmath>

#include "kernels/serial_part.h"

namespace splitbench::cuda {
namespace {

// One program while it is queued.
class Queue {
 public:
  Queue(const Program& program, const Workplace& at, const Stopwatch& watch, cudaStream_t stream)
      : program_(program), at_(at), watch_(watch), stream_(stream) {}

  void run() const {
    watch_.mark(0, stream_);
    if (takes_message(program_.arm)) {
      for (int i = 0; i < pieces_of(program_, at_.operation); ++i) {
        reduce(at_.message, program_.message);
      }
    } else if (program_.arm != Arm::empty) {
      for (std::int64_t layer = 0; layer < at_.operation.layers; ++layer) {
        run_layer(static_cast<std::size_t>(layer));
        if (program_.layered) watch_.mark(1 + static_cast<std::size_t>(layer), stream_);
      }
    }
    if (!program_.layered) watch_.mark(1, stream_);
  }

 private:
  void run_layer(std::size_t layer) const {
    switch (program_.arm) {
      case Arm::serial:
        return serial();
      case Arm::full:
        return multiply(*at_.full, at_.weights->full[layer]);
      case Arm::shard:
      case Arm::shard_alone:
        return multiply(*at_.shard, at_.weights->shard[layer]);
      case Arm::unsplit:
      case Arm::twin:
        serial();
        return multiply(*at_.full, at_.weights->full[layer]);
      case Arm::split_without_collective:
        serial();
        return multiply(*at_.shard, at_.weights->shard[layer]);
      case Arm::split:
        serial();
        multiply(*at_.shard, at_.weights->shard[layer]);
        return reduce(at_.y.data, static_cast<std::size_t>(at_.y.rows * at_.y.columns));
      case Arm::empty:
      case Arm::collective:
      case Arm::collective_sweep:
      case Arm::collective_pipelined:
        return;
    }
  }

  void serial() const {
    check(kernels::serial_part(at_.y, at_.x, at_.normalised, stream_), "kernels::serial_part");
  }

  void multiply(const Mlp& mlp, const LayerWeights& weights) const {
    mlp.run(at_.normalised.data, weights, at_.hidden, at_.y.data, stream_);
  }

  void reduce(void* memory, std::size_t elements) const {
    at_.communicator->all_reduce(memory, memory, elements, at_.operation.dtype, stream_);
  }

  const Program& program_;
  const Workplace& at_;
  const Stopwatch& watch_;
  cudaStream_t stream_;
};

}  // namespace

Program program_of(const Step& step, const Operation& operation) {
  Program program{.arm = step.arm};
  if (step.message) {
    program.message =
        static_cast<std::size_t>(std::llround(*step.message / element_size(operation.dtype)));
  }
  program.layered = !step.device && (step.arm == Arm::serial || step.arm == Arm::shard);
  return program;
}

std::size_t marks_of(const Program& program, const Operation& operation) {
  return program.layered ? 1 + static_cast<std::size_t>(operation.layers) : 2;
}

int pieces_of(const Program& program, const Operation& operation) {
  return program.arm == Arm::collective_pipelined ? static_cast<int>(operation.layers) : 1;
}

void queue(const Program& program, const Workplace& at, const Stopwatch& watch,
           cudaStream_t stream) {
  Queue(program, at, watch, stream).run();
}

}  // namespace splitbench::cuda
