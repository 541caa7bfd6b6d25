// Which devices of a node an estimate is of, and which of the runs that someone has say something
// of the link between them.
#pragma once

#include <string>
#include <vector>

#include "results/known_node.h"
#include "results/node_link.h"

namespace splitbench {

struct RunChoice {
  std::vector<int> devices;           // the tool's numbers; empty where no text names them
  std::vector<const KnownRun*> used;  // to be used as one
  std::vector<std::string> notes;     // what weakens those that are, and why others are not
};

// The devices of devices_to_use(), or those of a run where they are joined alike. Runs of other
// ranks, of other devices, of several hosts and of one GPU are not used. Throws BadDocument as
// joined_spread().
RunChoice choose_runs(const KnownNode& known, int ranks, const Answer<GpuModel>& gpu);

}  // namespace splitbench
