// What a text holds, told from the text itself and not from the name of its file.
#pragma once

#include <string>
#include <vector>

#include "results/import/collective_run.h"
#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

// Whether there is output of a tool that describes a node, or that times collectives.
bool holds_node(const TextSource& source);
bool holds_runs(const TextSource& source);

// Adds what every tool whose output is in the text says of its node; settle() when all texts are
// read. Throws BadDocument, and where there is no such output: with what is there instead.
void read_node(const TextSource& source, ImportedNode& node);

struct ImportedRuns {
  std::string format;  // "nccl-tests", "nccl-tests JSON", "table"
  std::vector<CollectiveRun> runs;
};

// Throws likewise.
ImportedRuns read_runs(const TextSource& source);

}  // namespace splitbench
