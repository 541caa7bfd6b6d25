// The way of every byte of a split operation: input -> device -> exchange -> gather -> output.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "model/operation.h"
#include "results/node.h"

namespace splitbench {

// Five arrows, each with `arrow`, `bytes` (per rank and run of the operation) and `path`:
// "on-device", or how a Link names what it crosses. Sums over Q all-reduces of wire_bytes()
// (model/wire.h); inputs, weights and outputs are made, kept and checked on their device.
nlohmann::ordered_json flow(const Operation& operation, int ranks, std::span<const Link> links);

// The path that all links share; unknown where they differ or there are none.
Path common_path(std::span<const Link> links);

}  // namespace splitbench
