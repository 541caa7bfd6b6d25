// One operation prepared on CPU cores: weights, buffers, and the arms that run on them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "harness/backend.h"
#include "harness/backends/host/all_reduce.h"
#include "harness/backends/host/layer.h"
#include "harness/backends/host/verify.h"

namespace splitbench::host {

// What a rig borrows from its node, which outlives it.
struct RigContext {
  int rank = 0;
  SharedRegion* region = nullptr;
  RankBarrier* barrier = nullptr;
  std::size_t largest_message = 0;  // elements
  std::span<float> flush_buffer;    // empty where caches stay hot
};

class HostRig final : public Rig {
 public:
  HostRig(const RigSpec& spec, const RigContext& context, std::shared_ptr<const Weights> weights);

  Correctness verify() override;
  Block run(const Step& step, int repeats) override;

 private:
  class Stopwatch;

  // Runs one repeat of an arm between the stamps; `watch` takes a stamp per layer where it asks.
  void repeat(Arm arm, std::size_t message, Stopwatch& watch);
  // Equal pieces of work that one repeat times together.
  int pieces(Arm arm) const;
  void restore_input();
  void flush_caches();

  RigSpec spec_;
  RigContext context_;
  std::shared_ptr<const Weights> weights_;  // shared by the points that use the same
  AllReduce all_reduce_;
  std::vector<float> input_;       // x of the first layer, kept
  std::vector<float> x_;           // running x
  std::vector<float> normalised_;  // what the products read
  std::vector<float> hidden_;      // tokens x d_ff
  std::vector<float> y_;           // output of a layer
  std::vector<float> message_;     // of the collective arms, at their own size
  std::optional<Correctness> verified_;
};

}  // namespace splitbench::host
