#include "protocols/arm.h"

#include <array>

#include "model/invalid_input.h"
#include "protocols/nearest.h"

namespace splitbench {
namespace {

constexpr std::array<Named<Arm>, 12> kArms{{
    {Arm::empty, "empty", "the two time stamps and nothing between: what measuring itself costs"},
    {Arm::serial, "serial", "the parts that are not divided: S"},
    {Arm::full, "full", "the divisible work whole, on one device: C"},
    {Arm::shard, "shard", "each rank's share of the work, all ranks at once: C_shard"},
    {Arm::shard_alone, "shard_alone",
     "one rank's share with the others idle: what sharing power and memory costs C_shard"},
    {Arm::collective, "collective", "the all-reduce alone, at the operation's own size: H"},
    {Arm::collective_pipelined, "collective_pipelined",
     "Q all-reduces back to back, the time of one: what waiting for each other costs H"},
    {Arm::collective_sweep, "collective_sweep",
     "the all-reduce at other sizes: fixed cost and bandwidth"},
    {Arm::unsplit, "unsplit", "the whole operation on one device: T1, for comparison only"},
    {Arm::split, "split", "the whole operation over all ranks: T_N, for comparison only"},
    {Arm::split_without_collective, "split_without_collective",
     "the split with the all-reduce left out: where a misprediction comes from"},
    {Arm::twin, "twin", "unsplit once more under another name: the least effect that counts"},
}};

}  // namespace

std::span<const Named<Arm>> arms() {
  return kArms;
}

std::string_view name(Arm arm) {
  return name_in(arms(), arm);
}

Arm arm(std::string_view name) {
  if (const auto found = find_in(arms(), name)) return *found;
  throw InvalidInput(
      "arms", "unknown arm '" + std::string(name) + "'" + suggestion(name, names_in(arms())));
}

bool runs_on_one_rank(Arm arm) {
  switch (arm) {
    case Arm::empty:
    case Arm::serial:
    case Arm::full:
    case Arm::shard_alone:
    case Arm::unsplit:
    case Arm::twin:
      return true;
    default:
      return false;
  }
}

bool runs_on_all_ranks(Arm arm) {
  return arm == Arm::empty || arm == Arm::serial || !runs_on_one_rank(arm);
}

bool required(Arm arm) {
  switch (arm) {
    case Arm::shard_alone:
    case Arm::collective_pipelined:
    case Arm::collective_sweep:
    case Arm::split_without_collective:
    case Arm::twin:
      return false;
    default:
      return true;
  }
}

bool takes_whole(Arm arm) {
  return arm == Arm::full || arm == Arm::unsplit || arm == Arm::twin;
}

bool takes_message(Arm arm) {
  return arm == Arm::collective || arm == Arm::collective_pipelined || arm == Arm::collective_sweep;
}

}  // namespace splitbench
