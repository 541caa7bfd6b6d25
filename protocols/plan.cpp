#include "protocols/plan.h"

#include <algorithm>
#include <cmath>

#include "model/random.h"
#include "protocols/order.h"

namespace splitbench {
namespace {

// The nearest count of whole elements, at least one.
Bytes whole_elements(Bytes size, Bytes element) {
  return std::max(1.0, std::round(size / element)) * element;
}

bool first_of_its_type(const Protocol& protocol, std::size_t point) {
  const auto same_type = [&](const Operation& other) {
    return other.dtype == protocol.points[point].dtype;
  };
  const auto end = protocol.points.begin() + static_cast<std::ptrdiff_t>(point);
  return std::none_of(protocol.points.begin(), end, same_type);
}

void add_arm(std::vector<Step>& steps, const Protocol& protocol, std::size_t point, Arm arm,
             int device) {
  if (arm == Arm::collective_sweep) {
    for (const Bytes size : sweep_sizes(protocol, point)) steps.push_back({point, arm, size});
    return;
  }
  std::optional<Bytes> message;
  if (takes_message(arm)) message = message_bytes(protocol.points[point]);
  if (runs_on_one_rank(arm)) steps.push_back({point, arm, message, device});
  if (runs_on_all_ranks(arm)) steps.push_back({point, arm, message});
}

// Rounds of one session: each the next order, on the next device.
class SessionRounds {
 public:
  SessionRounds(const Protocol& protocol, std::uint64_t seed)
      : protocol_(protocol),
        random_(seed),
        device_(static_cast<int>(random_.below(static_cast<std::uint64_t>(protocol.ranks)))),
        order_(round_steps(protocol, device_).size(), random_) {}

  void restart_at_first_device() { device_ = 0; }

  std::vector<Round> take(std::int64_t count) {
    std::vector<Round> rounds;
    for (std::int64_t i = 0; i < count; ++i) rounds.push_back(next());
    return rounds;
  }

 private:
  Round next() {
    const std::vector<Step> steps = round_steps(protocol_, device_);
    Round round{device_, {}};
    for (const std::size_t index : order_.next()) round.steps.push_back(steps[index]);
    device_ = (device_ + 1) % protocol_.ranks;
    return round;
  }

  const Protocol& protocol_;
  Random random_;
  int device_;
  BalancedOrder order_;
};

}  // namespace

std::vector<Bytes> sweep_sizes(const Protocol& protocol, std::size_t point) {
  const Operation& operation = protocol.points[point];
  const Bytes element = element_size(operation.dtype);
  const Bytes own = message_bytes(operation);
  std::vector<Bytes> sizes;
  for (const double exponent : protocol.collective_sweep.around) {
    sizes.push_back(whole_elements(own * std::exp2(exponent), element));
  }
  if (first_of_its_type(protocol, point)) {
    for (const Bytes size : protocol.collective_sweep.grid) {
      sizes.push_back(whole_elements(size, element));
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  std::erase(sizes, own);
  return sizes;
}

Bytes largest_message(const Protocol& protocol, std::size_t point) {
  Bytes largest = message_bytes(protocol.points[point]);
  if (!has_arm(protocol, Arm::collective_sweep)) return largest;
  for (const Bytes size : sweep_sizes(protocol, point)) largest = std::max(largest, size);
  return largest;
}

std::vector<Step> round_steps(const Protocol& protocol, int device) {
  std::vector<Step> steps;
  for (std::size_t point = 0; point < protocol.points.size(); ++point) {
    for (const Arm arm : protocol.arms) add_arm(steps, protocol, point, arm, device);
  }
  return steps;
}

Plan make_plan(const Protocol& protocol, std::uint64_t seed) {
  Random session_seeds(seed);
  Plan plan;
  for (std::int64_t i = 0; i < protocol.sampling.sessions; ++i) {
    SessionRounds rounds(protocol, session_seeds.next());
    Session session;
    session.warm_up = rounds.take(protocol.sampling.warmup_rounds);
    // With fewer rounds than devices: the devices that are seen are then seen in every session, and
    // none lacks the one that the others are compared on.
    if (protocol.sampling.rounds < protocol.ranks) rounds.restart_at_first_device();
    session.rounds = rounds.take(protocol.sampling.rounds);
    plan.sessions.push_back(std::move(session));
  }
  return plan;
}

}  // namespace splitbench
