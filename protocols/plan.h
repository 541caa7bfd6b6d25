// A protocol expanded into the steps of every round of every session, in a seeded order.
//
// A round visits every step once: each arm of each point, `empty` and `serial` on one rank and on
// all ranks, and each size of the collective sweep. The same protocol and seed give the same plan,
// bit for bit, on every platform; more sessions leave the first ones as they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "protocols/protocol.h"

namespace splitbench {

struct Step {
  std::size_t point = 0;  // index into Protocol::points
  Arm arm = Arm::empty;
  std::optional<Bytes> message = {};  // of arms that take one; whole elements of the point's type
  std::optional<int> device = {};     // the rank whose device runs it; none: all ranks at once

  friend bool operator==(const Step&, const Step&) = default;
};

struct Round {
  int device = 0;  // of its one-rank steps, all of them; the next round takes the next device
  std::vector<Step> steps;

  friend bool operator==(const Round&, const Round&) = default;
};

struct Session {
  std::vector<Round> warm_up;
  std::vector<Round> rounds;

  friend bool operator==(const Session&, const Session&) = default;
};

struct Plan {
  std::vector<Session> sessions;

  friend bool operator==(const Plan&, const Plan&) = default;
};

// Message sizes of the collective sweep at one point, ascending: the sizes around its own message
// (M 2^k, to the nearest whole element, at least one) and, for the first point of each data type,
// the coarse grid. The point's own message is not among them, the `collective` arm measures it;
// sizes that come out equal are measured once.
std::vector<Bytes> sweep_sizes(const Protocol& protocol, std::size_t point);

// The largest message of any step of the point.
Bytes largest_message(const Protocol& protocol, std::size_t point);

// The steps of one round in the order of points and arms(), its one-rank steps on `device`.
std::vector<Step> round_steps(const Protocol& protocol, int device);

// Per session, from the session's own seed (the numbers of Random(seed), in order of session): the
// first device, below(ranks), then a BalancedOrder over round_steps() for the warm-up rounds and
// the rounds. Where there are fewer rounds than ranks they begin with device 0 in every session.
// Takes a checked protocol.
Plan make_plan(const Protocol& protocol, std::uint64_t seed);

}  // namespace splitbench
