#include "harness/backends/simulated/node.h"

#include <algorithm>

#include "harness/backends/simulated/verify.h"

namespace splitbench::simulated {

std::unique_ptr<Rig> SimulatedNode::prepare(const RigSpec& spec) {
  memory_peak_ = std::max(memory_peak_,
                          memory_peak(simulation_.scenario(), spec.operation, simulation_.ranks()));
  return std::make_unique<SimulatedRig>(simulation_, spec.operation);
}

void SimulatedNode::report(SessionRecord& record) {
  record.memory_peak.assign(static_cast<std::size_t>(ranks()), memory_peak_);
}

Correctness SimulatedRig::verify() {
  return simulated::verify(*simulation_);
}

nlohmann::ordered_json SimulatedRig::choices() const {
  const LayerTimes times = layer_times(simulation_->scenario(), operation_, simulation_->ranks());
  return {{"scenario", to_json(simulation_->scenario())},
          {"layer",
           {{"serial_s", times.serial},
            {"serial_all_ranks_s", times.serial_all_ranks},
            {"product_s", times.product},
            {"shard_s", times.shard},
            {"shard_alone_s", times.shard_alone},
            {"collective_s",
             collective_seconds(simulation_->scenario(), message_bytes(operation_).value(),
                                simulation_->ranks())}}}};
}

}  // namespace splitbench::simulated
