// One rank of a session on GPUs: its device, its stream, and the communicator that joins it to the
// others.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "harness/backend.h"
#include "harness/backends/cuda/communicator.h"
#include "harness/backends/cuda/matmul.h"
#include "harness/backends/cuda/release.h"
#include "harness/backends/cuda/rig.h"
#include "harness/backends/cuda/runtime.h"
#include "harness/rank/rank_barrier.h"

namespace splitbench::cuda {

class CudaNode final : public Node {
 public:
  // `device`: its index in the runtime; `sharers`: ranks on it, this one too. Collective: returns
  // when every rank has joined.
  CudaNode(const RankSeat& seat, int device, int sharers);

  int rank() const override { return rank_; }
  int ranks() const override { return region_->ranks(); }
  std::string broadcast(const std::string& from_rank_0) override {
    return barrier_.broadcast(from_rank_0);
  }
  std::unique_ptr<Rig> prepare(const RigSpec& spec) override;
  void report(SessionRecord& record) override;
  bool time_is_virtual() const override { return time_is_virtual_; }
  void abandon() noexcept override { communicator_->abort(); }

 private:
  // Points that differ in tokens alone use the same weights.
  struct WeightsKey {
    std::int64_t d_model, d_ff, layers;
    DataType dtype;
    std::uint64_t seed;
    auto operator<=>(const WeightsKey&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  std::shared_ptr<const Weights> weights(const RigSpec& spec);
  // All layers whole; nothing where this device has no room for them.
  std::optional<std::vector<LayerWeights>> whole_weights(const RigSpec& spec) const;
  bool leaves_room(const RigSpec& spec) const;
  void require_too_large(const RigSpec& spec) const;
  void note_memory();

  int rank_;
  SharedRegion* region_;
  Seconds patience_;
  RankBarrier barrier_;
  DeviceInfo device_;
  int sharers_;
  bool time_is_virtual_;
  Bytes peak_{};  // in use on the device, by anyone
  Stream stream_;
  Release release_;
  std::optional<Communicator> communicator_;
  MatmulLibrary library_;
  DeviceMemory line_up_;
  DeviceMemory flush_buffer_;
  std::map<WeightsKey, std::shared_ptr<const Weights>> weights_;
};

}  // namespace splitbench::cuda
