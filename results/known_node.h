// What is known of a node from what someone pasted: its description, and runs of all-reduce on it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/quantity.h"
#include "protocols/gpu_catalogue.h"
#include "results/import/collective_run.h"
#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

struct KnownRun {
  std::string file;
  std::string format;  // "nccl-tests", "table", ...
  CollectiveRun run;
};

struct KnownNode {
  ImportedNode node;
  std::vector<KnownRun> runs;  // of an all-reduce, none flawed
  std::vector<std::string> files;
  std::size_t described = 0;  // devices that texts of the node name; a run's may be some of them
};

// Every source is read for what it is: a node, or runs, whose list of devices names them where no
// other text does. Throws BadDocument for a text that is neither, and for a run whose times must
// not be used.
KnownNode read_known_node(const std::vector<TextSource>& sources);

// The model of its devices: `named` where a user said it, else what the texts call them. None where
// nothing names them, they are of several models, or the catalogue lacks it.
Answer<GpuModel> gpu_of(const KnownNode& known, const std::vector<GpuModel>& catalogue,
                        const std::string& named);

}  // namespace splitbench
