#include "harness/backends/simulated/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "harness/backends/simulated/node.h"

namespace splitbench::simulated {
namespace {

Scenario scenario_of(const DeviceRequest& request, std::optional<std::int64_t> layers = {}) {
  if (request.scenario.name.empty()) return {};
  return load_scenario(request.scenario.text, request.scenario.name,
                       {.ranks = request.ranks, .layers = layers});
}

// Of the operation with the most; nothing where only devices are asked about.
std::optional<std::int64_t> most_layers(const Protocol& protocol) {
  std::optional<std::int64_t> most;
  for (const Operation& point : protocol.points) most = std::max(most.value_or(0), point.layers);
  return most;
}

std::string unsupported(const Protocol& protocol) {
  if (protocol.launch == Launch::automatic || protocol.launch == Launch::direct) return {};
  return fmt::format("launch mode '{}' exists on GPUs only; simulated devices run 'direct'",
                     name(protocol.launch));
}

class SimulatedBackend final : public Backend {
 public:
  Survey survey(const SurveyRequest& request, const Doing& doing) const override {
    doing("reading the scenario");
    Survey survey;
    survey.unsupported = unsupported(request.protocol);
    try {
      survey.node = describe_node(scenario_of(request.devices, most_layers(request.protocol)),
                                  request.devices);
    } catch (const BadDocument& error) {
      survey.unsupported = error.what();
    }
    survey.needs.processes = 1;
    return survey;
  }

  std::unique_ptr<Node> open(const RankSeat& seat) const override {
    return std::make_unique<SimulatedNode>(scenario_of(seat.request), seat);
  }
};

}  // namespace

const Backend* backend() {
  static const SimulatedBackend simulated;
  return &simulated;
}

NodeDescription describe_node(const Scenario& scenario, const DeviceRequest& request) {
  NodeDescription node;
  node.backend = "simulated";
  node.times_are = TimesAre::simulated;
  for (int rank = 0; rank < request.ranks; ++rank) {
    const int device =
        request.devices.empty() ? rank : request.devices[static_cast<std::size_t>(rank)];
    node.devices.push_back({.name = "simulated device",
                            .uuid = std::nullopt,
                            .memory = Bytes(scenario.memory_bytes),
                            .more = {{"index", device}}});
    const int next = (rank + 1) % request.ranks;
    if (next == 0 && request.ranks == 2) continue;  // two are joined once
    node.links.push_back({.a = rank, .b = next, .kind = "simulated", .path = Path::unknown});
  }
  node.notes.push_back("simulated: no device was measured, and no data of the operation moved");
  return node;
}

}  // namespace splitbench::simulated
