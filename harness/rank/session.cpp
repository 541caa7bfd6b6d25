#include "harness/rank/session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "harness/rank/shared_region.h"
#include "harness/rank/warm_up.h"
#include "model/statistics.h"
#include "results/correctness.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point begin) {
  return Seconds(std::chrono::duration<double>(Clock::now() - begin).count());
}

// A block keeps at most so many repeats, however short the arm: enough for its percentiles, and a
// store that stays small.
constexpr int kMostRepeats = 256;

// In virtual time a block is not planned by the clock on the wall, so that the same seed gives the
// same samples; and no repeat disturbs another, so few are enough.
constexpr double kVirtualRepeats = 4;

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
    visits_.set(kind_of(step), Seconds(visit_seconds));
  }

  const StepCosts& visits() const { return visits_; }

 private:
  struct Cost {
    double sample;     // seconds between the stamps
    double repeat;     // seconds from one repeat to the next
    int most_repeats;  // for which the table of times has room
  };
  Sampling sampling_;
  bool time_is_virtual_;
  std::map<StepKind, Cost> costs_;
  StepCosts visits_;
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
    node_.broadcast("");  // returns once every rank is there
    if (supervisor_ != nullptr) supervisor_->send(Joined{});
    prepare_and_verify();
    warm_up();
    agree_on_protocol();
    const Plan plan = make_plan(protocol_, order_.seed);
    const auto& rounds = session_of(plan).rounds;
    for (std::size_t round = 0; round < rounds.size(); ++round) {
      RoundRecord record = run_round(rounds[round], static_cast<int>(round));
      if (supervisor_ != nullptr) {
        supervisor_->send(RoundFinished{std::move(record)});
        std::get<Stored>(supervisor_->receive());
      }
      node_.broadcast("");  // nobody begins the next round before this one is stored
    }
    verify_again("after the last round");
    node_.report(record_);
    if (supervisor_ != nullptr) supervisor_->send(Done{record_});
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
                         .pinned = order_.pinned.is_array() ? order_.pinned.at(point) : nullptr,
                         .verified = verified_before(point)}));
      record_.choices.push_back(rigs_.back()->choices());
      now(Phase::verifying);
      const Clock::time_point begin = Clock::now();
      record_.correctness.push_back(rigs_.back()->verify());
      first_verification_ += since(begin);
    }
    if (supervisor_ != nullptr) supervisor_->send(Ready{record_});
  }

  std::optional<Correctness> verified_before(std::size_t point) const {
    if (order_.verified.empty()) return std::nullopt;
    return order_.verified.at(point);
  }

  // What went wrong since shows here.
  void verify_again(const std::string& when) {
    now(Phase::verifying);
    for (std::size_t point = 0; point < protocol_.points.size(); ++point) {
      Correctness last = rigs_[point]->verify();
      if (!last.failure.empty()) last.failure = when + ": " + last.failure;
      record_.correctness[point] = worst_of(record_.correctness[point], last);
    }
  }

  // Also finds out how long each step takes, for repeats and for the budget. The planned rounds,
  // and more of them until none of the recent ones shows a trend, as far as there is time for that.
  void warm_up() {
    const Plan plan = make_plan(protocol_, order_.seed);
    const auto& planned = session_of(plan).warm_up;
    WarmUp warm_up(protocol_, node_.time_is_virtual());
    for (const Round& round : planned) warm_up.add(run_round(round, -1));
    for (std::size_t more = 0; goes_on(warm_up); ++more) {
      warm_up.add(run_round(planned[more % planned.size()], -1));
    }
    record_.warm_up_rounds = warm_up.rounds();
    record_.warmed_up = warm_up.is_quiet();
  }

  // Rank 0 knows the times, and tells the others.
  bool goes_on(const WarmUp& warm_up) {
    return node_.broadcast(warm_up.wants_more() ? "more" : "") == "more";
  }

  // In the first session the supervisor may drop what the budget does not hold. What verifying
  // again takes is then found out by doing so.
  void agree_on_protocol() {
    const Clock::time_point begin = Clock::now();
    if (order_.session == 0) verify_again("after warm-up");
    std::string text;
    if (supervisor_ != nullptr) {
      supervisor_->send(Calibrated{.costs = planner_.visits(),
                                   .first_verification = first_verification_,
                                   .verification = since(begin)});
      text = to_json(std::get<Follow>(supervisor_->receive()).protocol).dump();
    }
    text = node_.broadcast(text);
    protocol_ = load_protocol(text, "protocol of this session");
  }

  RoundRecord run_round(const Round& round, int index) {
    RoundRecord record{
        .session = order_.session, .round = index, .blocks = {}, .void_reason = {}, .health = {}};
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
      planner_.saw(step, block, since(begin).value());
      block.round = index;
      record.blocks.push_back({.step = step, .block = std::move(block)});
    }
    now(Phase::between_rounds);
    node_.report_round(record);
    return record;
  }

  const SessionOrder& order_;
  Protocol protocol_;
  Node& node_;
  SharedRegion& region_;
  Correspondent* supervisor_;
  RepeatPlanner planner_;
  std::vector<std::unique_ptr<Rig>> rigs_;
  SessionRecord record_;
  Seconds first_verification_{};  // of all points
};

}  // namespace

void run_session(const SessionOrder& order, Node& node, SharedRegion& region,
                 Correspondent* supervisor) {
  SessionRunner(order, node, region, supervisor).run();
}

}  // namespace splitbench
