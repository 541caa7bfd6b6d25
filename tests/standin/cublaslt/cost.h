// What a product costs on a stand-in device, as the scenario states it.
#pragma once

#include "tests/standin/cublaslt/problem.h"

namespace splitbench::standin {

// Remembers that the search was asked for this product, or whether a stored algorithm does for it:
// shards are told by the full product that was asked for as well.
void note_search(const Product& product);

// Whether it is part of a split operation: a product with the same tokens and d_model, but a wider
// d_ff, has been asked for in this process. d_ff is the outputs where ReLU follows (x A), else
// the inner dimension (h B).
bool is_shard(const Product& product);

// launch_s + max(flops / `flops`, bytes / `memory_bytes_per_s`), all of it divided by
// shard_efficiency for a shard. A time in table_s goes before it.
double stated_seconds(const Product& product);

}  // namespace splitbench::standin
