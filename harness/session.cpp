#include "harness/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "harness/shared_region.h"
#include "harness/survey_json.h"
#include "model/statistics.h"
#include "results/record_json.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

// A block keeps at most so many repeats, however short the arm: enough for its percentiles, and a
// store that stays small.
constexpr int kMostRepeats = 256;

// In virtual time a block is not planned by the clock on the wall, so that the same seed gives the
// same samples; and no repeat disturbs another, so few are enough.
constexpr double kVirtualRepeats = 4;

// Arms that need the whole operation on one device.
bool takes_whole(Arm arm) {
  return arm == Arm::full || arm == Arm::unsplit || arm == Arm::twin;
}

// Steps that take the same time: the device that runs a one-rank step does not matter here.
using StepKind = std::tuple<std::size_t, Arm, double, bool>;
StepKind kind_of(const Step& step) {
  return {step.point, step.arm, step.message ? step.message->value() : 0.0,
          step.device.has_value()};
}

// How often each step is repeated in a block: until its samples last block_min, but no longer than
// block_max with all that goes on between them (flushing caches), and at least once.
class RepeatPlanner {
 public:
  RepeatPlanner(const Sampling& sampling, bool time_is_virtual)
      : sampling_(sampling), time_is_virtual_(time_is_virtual) {}

  int repeats(const Step& step) const {
    const auto known = costs_.find(kind_of(step));
    if (known == costs_.end()) return 1;
    const double wanted = std::ceil(sampling_.block_min.value() / known->second.sample);
    const double possible = std::floor(sampling_.block_max.value() / known->second.repeat);
    const double most = std::min(kMostRepeats, known->second.most_repeats);
    if (time_is_virtual_) return static_cast<int>(std::clamp(wanted, 1.0, kVirtualRepeats));
    return static_cast<int>(std::clamp(std::min(wanted, possible), 1.0, most));
  }

  void saw(const Step& step, const Block& block, double visit_seconds) {
    constexpr double kLeast = 1e-9;
    if (time_is_virtual_) visit_seconds = median(block.seconds);
    const double repeat = visit_seconds / static_cast<double>(block.repeats());
    const std::size_t row = 1 + static_cast<std::size_t>(block.layers);
    costs_[kind_of(step)] = {
        .sample = std::max(median(block.seconds), kLeast),
        .repeat = std::max(repeat, kLeast),
        .most_repeats = static_cast<int>((SharedRegion::kTimesPerRank - 1) / row)};
    visits_[kind_of(step)] = visit_seconds;
  }

  // Seconds of the latest visit of each step.
  const std::map<StepKind, double>& visits() const { return visits_; }

 private:
  struct Cost {
    double sample;     // seconds between the stamps
    double repeat;     // seconds from one repeat to the next
    int most_repeats;  // for which the table of times has room
  };
  Sampling sampling_;
  bool time_is_virtual_;
  std::map<StepKind, Cost> costs_;
  std::map<StepKind, double> visits_;
};

class SessionRunner {
 public:
  SessionRunner(const SessionOrder& order, Node& node, SharedRegion& region,
                Correspondent* supervisor)
      : order_(order),
        protocol_(order.protocol),
        node_(node),
        region_(region),
        supervisor_(supervisor),
        planner_(order.protocol.sampling, node.time_is_virtual()) {}

  void run() {
    record_.session = order_.session;
    prepare_and_verify();
    warm_up();
    agree_on_protocol();
    const Plan plan = make_plan(protocol_, order_.seed);
    const auto& rounds = session_of(plan).rounds;
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      RoundRecord record = run_round(rounds[round], static_cast<int>(round));
      ask({{"type", "round"}, {"round", to_json(record)}});
      node_.broadcast("");  // nobody begins the next round before this one is stored
    }
    node_.report(record_);
    if (supervisor_ != nullptr) {
      supervisor_->send({{"type", "done"}, {"session", to_json(record_)}});
    }
  }

 private:
  const Session& session_of(const Plan& plan) const {
    return plan.sessions.at(static_cast<std::size_t>(order_.session));
  }

  // For whoever waits for this rank.
  template <class PhaseOrArm>
  void now(PhaseOrArm what) {
    region_.status(node_.rank()).activity.store(activity_of(what), std::memory_order_relaxed);
  }

  void prepare_and_verify() {
    for (std::size_t point = 0; point < protocol_.points.size(); ++point) {
      now(Phase::preparing);
      rigs_.push_back(
          node_.prepare({.operation = protocol_.points[point],
                         .seed = order_.seed,
                         .launch = order_.launch,
                         .cache = protocol_.cache,
                         .largest_message = largest_message(protocol_, point),
                         .pinned = order_.pinned.is_array() ? order_.pinned.at(point) : nullptr}));
      record_.choices.push_back(rigs_.back()->choices());
      now(Phase::verifying);
      record_.correctness.push_back(rigs_.back()->verify());
    }
    if (supervisor_ != nullptr) {
      supervisor_->send({{"type", "ready"}, {"session", to_json(record_)}});
    }
  }

  // Also finds out how long each step takes, for repeats and for the budget.
  void warm_up() {
    const Plan plan = make_plan(protocol_, order_.seed);
    for (const Round& round : session_of(plan).warm_up) run_round(round, -1);
  }

  // In the first session the supervisor may drop what the budget does not hold.
  void agree_on_protocol() {
    nlohmann::json costs = nlohmann::json::array();
    for (const auto& [kind, seconds] : planner_.visits()) {
      costs.push_back({std::get<0>(kind), name(std::get<1>(kind)), std::get<2>(kind),
                       std::get<3>(kind), seconds});
    }
    const nlohmann::json answer = ask({{"type", "calibrated"}, {"costs", std::move(costs)}});
    const std::string text = node_.broadcast(answer.is_null() ? "" : answer.dump());
    protocol_ = load_protocol(text, "protocol of this session");
  }

  RoundRecord run_round(const Round& round, int index) {
    RoundRecord record{.session = order_.session, .round = index, .blocks = {}, .void_reason = {}};
    nlohmann::json wanted = nlohmann::json::array();
    for (const Step& step : round.steps) wanted.push_back(planner_.repeats(step));
    const nlohmann::json repeats = nlohmann::json::parse(node_.broadcast(wanted.dump()));
    for (std::size_t i = 0; i < round.steps.size(); ++i) {
      const Step& step = round.steps[i];
      if (takes_whole(step.arm) && !rigs_.at(step.point)->fits_one_device()) continue;
      now(step.arm);
      const Clock::time_point begin = Clock::now();
      Block block = rigs_.at(step.point)->run(step, repeats.at(i).get<int>());
      if (node_.rank() != 0) continue;
      planner_.saw(step, block, std::chrono::duration<double>(Clock::now() - begin).count());
      block.round = index;
      record.blocks.push_back({.step = step, .block = std::move(block)});
    }
    now(Phase::between_rounds);
    return record;
  }

  // Rank 0 asks the supervisor; the other ranks get nothing.
  nlohmann::json ask(const nlohmann::json& message) {
    if (supervisor_ == nullptr) return nullptr;
    supervisor_->send(message);
    return supervisor_->receive();
  }

  const SessionOrder& order_;
  Protocol protocol_;
  Node& node_;
  SharedRegion& region_;
  Correspondent* supervisor_;
  RepeatPlanner planner_;
  std::vector<std::unique_ptr<Rig>> rigs_;
  SessionRecord record_;
};

}  // namespace

nlohmann::json to_json(const SessionOrder& order) {
  return {{"module", order.module.string()},
          {"devices", to_json(order.request)},
          {"protocol", to_json(order.protocol).dump()},
          {"seed", order.seed},
          {"launch", name(order.launch)},
          {"session", order.session},
          {"pinned", order.pinned},
          {"patience_s", order.patience.value()}};
}

SessionOrder session_order(const nlohmann::json& json) {
  SessionOrder order;
  order.module = json.at("module").get<std::string>();
  order.request = device_request_from_json(json.at("devices"));
  order.protocol =
      load_protocol(json.at("protocol").get<std::string>(), "protocol of this session");
  order.seed = json.at("seed").get<std::uint64_t>();
  order.launch = find_in(launches(), json.at("launch").get<std::string>()).value();
  order.session = json.at("session").get<int>();
  order.pinned = json.at("pinned");
  order.patience = Seconds(json.at("patience_s").get<double>());
  return order;
}

void run_session(const SessionOrder& order, Node& node, SharedRegion& region,
                 Correspondent* supervisor) {
  SessionRunner(order, node, region, supervisor).run();
}

}  // namespace splitbench
