// One rank of a host session: bound to its core, joined to the others by shared memory.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "harness/backend.h"
#include "harness/backends/host/cores.h"
#include "harness/backends/host/rig.h"
#include "harness/rank/rank_barrier.h"

namespace splitbench::host {

// Of this process since it began, in seconds; zeros where the system does not keep it.
struct CoreTime {
  double running = 0.0;  // on a core
  double waiting = 0.0;  // for a core that others had
};

class HostNode final : public Node {
 public:
  // Binds this process to `core`. `shares_core`: other ranks use it too.
  HostNode(const RankSeat& seat, const Core& core, bool shares_core, Bytes last_level_cache);

  int rank() const override { return rank_; }
  int ranks() const override { return region_->ranks(); }
  std::string broadcast(const std::string& from_rank_0) override {
    return barrier_.broadcast(from_rank_0);
  }
  std::unique_ptr<Rig> prepare(const RigSpec& spec) override;
  void report(SessionRecord& record) override;
  void report_round(RoundRecord& record) override;

 private:
  // Points that differ in tokens alone use the same weights.
  struct WeightsKey {
    std::int64_t d_model, d_ff, layers;
    std::uint64_t seed;
    auto operator<=>(const WeightsKey&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  std::shared_ptr<const Weights> weights(const RigSpec& spec);

  int rank_;
  bool may_share_core_;
  CoreTime last_round_;  // at its end
  SharedRegion* region_;
  RankBarrier barrier_;
  Bytes last_level_cache_;
  std::vector<float> flush_buffer_;
  std::map<WeightsKey, std::shared_ptr<const Weights>> weights_;
};

}  // namespace splitbench::host
