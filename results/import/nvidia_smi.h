// nvidia-smi: the table, -q, nvlink --status. Names, memory, addresses, links, whether devices are
// divided. Processes, serial numbers and everything else in it is not taken over.
#pragma once

#include "results/import/imported_node.h"
#include "results/import/text_source.h"

namespace splitbench {

bool looks_like_nvidia_smi_table(const TextSource& source);
bool looks_like_nvidia_smi_query(const TextSource& source);
bool looks_like_nvlink_status(const TextSource& source);

// Each throws BadDocument for what is cut, or gives one device twice.
void read_nvidia_smi_table(const TextSource& source, ImportedNode& node);
void read_nvidia_smi_query(const TextSource& source, ImportedNode& node);
void read_nvlink_status(const TextSource& source, ImportedNode& node);

}  // namespace splitbench
