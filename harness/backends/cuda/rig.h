// One operation prepared on a GPU: weights, buffers, products with their algorithms, and the arms
// as graphs or eager launches.
//
// A sample: [caches flushed] -> gate -> in arms of all ranks an all-reduce of one element -> start
// mark -> work -> end mark. The gate opens once every rank has queued its repeat. Eager launches
// have no gate: they start after a barrier of the hosts.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "harness/backend.h"
#include "harness/backends/cuda/arms.h"
#include "harness/backends/cuda/release.h"
#include "harness/rank/rank_barrier.h"

namespace splitbench::cuda {

// What a rig borrows from its node, which outlives it.
struct RigContext {
  int rank = 0;
  int ranks = 1;
  SharedRegion* region = nullptr;
  RankBarrier* barrier = nullptr;
  Release* release = nullptr;
  const MatmulLibrary* library = nullptr;
  const Communicator* communicator = nullptr;
  cudaStream_t stream = nullptr;
  const DeviceMemory* line_up = nullptr;       // one element, reduced before the start mark
  const DeviceMemory* flush_buffer = nullptr;  // empty where caches stay hot
  Seconds patience{60};
};

class CudaRig final : public Rig {
 public:
  CudaRig(const RigSpec& spec, const RigContext& context, std::shared_ptr<const Weights> weights);

  Correctness verify() override;
  Block run(const Step& step, int repeats) override;
  bool fits_one_device() const override { return full_.has_value(); }
  nlohmann::ordered_json choices() const override { return choices_; }

 private:
  // How the products of one width multiply: as pinned, else as rank 0 finds fastest.
  Mlp choose_products(const char* width, const LayerWeights& weights);
  Matmul choose_product(const Product& product, const Operands& operands,
                        const nlohmann::json& pinned);
  void choose_time_source();
  double shortest_interval();
  void describe_collective();

  Workplace workplace() const;
  // The intervals of a program that runs by itself, not timed for anybody.
  std::vector<double> intervals(const Program& program);

  // Queues a program, as a graph where graphs are launched.
  void start(const Program& program);
  void repeat(const Program& program, bool all_ranks, bool timed);
  // This rank's row of the table of times.
  void write_row(const Program& program, std::span<double> row) const;
  std::optional<double> slowest_clock(const Step& step, std::size_t at) const;
  void prepare_input(const Program& program);
  void prepare_repeat(const Program& program);
  void line_up() const;
  void wait() const;

  RigSpec spec_;
  RigContext context_;
  std::shared_ptr<const Weights> weights_;
  nlohmann::ordered_json choices_ = nlohmann::ordered_json::object();
  DeviceMatrix input_;       // x of the first layer, kept
  DeviceMatrix x_;           // running x
  DeviceMatrix normalised_;  // what the products read
  DeviceMatrix hidden_;      // tokens x d_ff
  DeviceMatrix y_;           // output of a layer
  DeviceMatrix message_;     // of the collective arms
  std::optional<Mlp> full_;  // nothing where the whole does not fit
  std::optional<Mlp> shard_;
  std::optional<Stopwatch> watch_;
  std::map<Program, GraphExec> graphs_;
  // What ran once without a gate, and whether on all ranks: the same on each that takes part.
  std::set<std::pair<Program, bool>> met_;
};

}  // namespace splitbench::cuda
