#include "harness/backends/simulated/run.h"

#include <algorithm>
#include <utility>

#include "harness/backends/simulated/simulation.h"
#include "harness/backends/simulated/verify.h"
#include "protocols/plan.h"
#include "results/correctness.h"

namespace splitbench::simulated {
namespace {

Bytes memory_of(const Scenario& scenario, const Protocol& protocol) {
  Bytes most{};
  for (const Operation& operation : protocol.points) {
    most = std::max(most, memory_peak(scenario, operation, protocol.ranks));
  }
  return most;
}

RoundRecord run_round(Simulation& simulation, const Protocol& protocol, const Round& round,
                      int index, int repeats) {
  RoundRecord record{.session = simulation.session(),
                     .round = index,
                     .blocks = {},
                     .void_reason = {},
                     .health = {}};
  record.blocks.reserve(round.steps.size());
  for (const Step& step : round.steps) {
    const Operation& operation = protocol.points[step.point];
    if (takes_whole(step.arm) && !fits_one_device(simulation.scenario(), operation)) continue;
    Block block = simulation.run(operation, step, repeats);
    block.round = index;
    record.blocks.push_back({.step = step, .block = std::move(block)});
  }
  return record;
}

}  // namespace

Records simulate(const Scenario& scenario, const Protocol& protocol, int repeats) {
  Records records;
  const Plan plan = make_plan(protocol, protocol.seed);
  for (std::size_t i = 0; i < plan.sessions.size(); ++i) {
    const int session = static_cast<int>(i);
    Simulation simulation(scenario, protocol.ranks, protocol.seed, session);
    SessionRecord record;
    record.session = session;
    const Correctness before = verify(simulation);
    for (const Round& round : plan.sessions[i].warm_up) {
      run_round(simulation, protocol, round, -1, repeats);
    }
    const std::vector<Round>& rounds = plan.sessions[i].rounds;
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      records.rounds.push_back(
          run_round(simulation, protocol, rounds[round], static_cast<int>(round), repeats));
    }
    record.correctness.assign(protocol.points.size(), worst_of(before, verify(simulation)));
    record.memory_peak.assign(static_cast<std::size_t>(protocol.ranks),
                              memory_of(scenario, protocol));
    records.sessions.push_back(std::move(record));
  }
  return records;
}

}  // namespace splitbench::simulated
