// What runs between the marks, arm by arm, on one rank. docs/methodology.md "Arms".
#pragma once

#include <cuda_runtime_api.h>

#include <compare>
#include <cstddef>
#include <vector>

#include "harness/backends/cuda/communicator.h"
#include "harness/backends/cuda/layer.h"
#include "harness/backends/cuda/stopwatch.h"
#include "protocols/plan.h"

namespace splitbench::cuda {

// Weights of all layers, whole and this rank's shard; shared by the points that use the same.
struct Weights {
  std::vector<LayerWeights> full;  // empty where they do not fit
  std::vector<LayerWeights> shard;
};

// What the arms work on; all of it belongs to somebody else.
struct Workplace {
  Operation operation;
  const Weights* weights = nullptr;
  const Mlp* full = nullptr;  // null where the whole does not fit
  const Mlp* shard = nullptr;
  const Communicator* communicator = nullptr;
  kernels::Matrix x;           // running x
  kernels::Matrix normalised;  // what the products read
  kernels::Matrix y;           // output of a layer; reduced in place
  void* hidden = nullptr;      // tokens x d_ff
  void* message = nullptr;     // of the collective arms, at their own size; reduced in place
};

// The work of a step, as far as it differs from that of other steps.
struct Program {
  Arm arm = Arm::empty;
  std::size_t message = 0;  // elements
  bool layered = false;     // a mark at the end of every layer

  friend auto operator<=>(const Program&,
                          const Program&) = default;  // NOLINT(modernize-use-nullptr)
};

Program program_of(const Step& step, const Operation& operation);
std::size_t marks_of(const Program& program, const Operation& operation);
// Equal pieces of work that one run of the program times together: Q where collectives follow each
// other, else 1.
int pieces_of(const Program& program, const Operation& operation);

// Queues the work with its marks. The same calls serve a capture and an eager launch.
void queue(const Program& program, const Workplace& at, const Stopwatch& watch,
           cudaStream_t stream);

}  // namespace splitbench::cuda
