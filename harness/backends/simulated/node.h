// A session of simulated devices, and the operations prepared on it.
#pragma once

#include "harness/backend.h"
#include "harness/backends/simulated/simulation.h"

namespace splitbench::simulated {

class SimulatedNode final : public Node {
 public:
  SimulatedNode(Scenario scenario, const RankSeat& seat)
      : simulation_(std::move(scenario), seat.request.ranks, seat.seed, seat.session) {}

  int rank() const override { return 0; }
  int ranks() const override { return simulation_.ranks(); }
  std::string broadcast(const std::string& from_rank_0) override { return from_rank_0; }
  std::unique_ptr<Rig> prepare(const RigSpec& spec) override;
  void report(SessionRecord& record) override;
  bool time_is_virtual() const override { return true; }

 private:
  Simulation simulation_;
  Bytes memory_peak_{};
};

class SimulatedRig final : public Rig {
 public:
  SimulatedRig(Simulation& simulation, const Operation& operation)
      : simulation_(&simulation), operation_(operation) {}

  Correctness verify() override;
  Block run(const Step& step, int repeats) override {
    return simulation_->run(operation_, step, repeats);
  }
  bool fits_one_device() const override {
    return simulated::fits_one_device(simulation_->scenario(), operation_);
  }
  // The scenario, and the times that it gives this operation: what an analysis should find.
  nlohmann::ordered_json choices() const override;

 private:
  Simulation* simulation_;
  Operation operation_;
};

}  // namespace splitbench::simulated
