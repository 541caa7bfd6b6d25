// The arms: the things that are timed, each apart. Source: docs/methodology.md "Arms".
#pragma once

#include <span>
#include <string_view>

#include "protocols/named.h"

namespace splitbench {

enum class Arm {
  empty,
  serial,
  full,
  shard,
  shard_alone,
  collective,
  collective_pipelined,
  collective_sweep,
  unsplit,
  split,
  split_without_collective,
  twin,
};

// All arms in the order above: name, and one line on what runs and what it gives.
std::span<const Named<Arm>> arms();

std::string_view name(Arm arm);
// Throws InvalidInput("arms") for a name it does not know.
Arm arm(std::string_view name);

// Where an arm runs. `empty` and `serial` run both ways: what they cost on one rank belongs to T1,
// on all ranks at once to T_N.
bool runs_on_one_rank(Arm arm);
bool runs_on_all_ranks(Arm arm);

// True for the arms without which there is no verdict.
bool required(Arm arm);

// True for the arms that need the whole operation on one device.
bool takes_whole(Arm arm);

// True for the arms whose steps name a message size.
bool takes_message(Arm arm);

}  // namespace splitbench
