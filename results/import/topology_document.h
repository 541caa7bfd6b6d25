// The document of `splitbench topology --format json`, so that what one machine found can be judged
// on another, and in the same way as what other tools print.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_topology_document(const TextSource& source);

// Throws BadDocument where a value is not of its type.
void read_topology_document(const TextSource& source, ImportedNode& node);

}  // namespace splitbench
