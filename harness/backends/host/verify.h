// The correctness checks of docs/rules.md on CPU cores. All are collective.
#pragma once

#include <string>

#include "harness/backends/host/all_reduce.h"
#include "harness/backends/host/layer.h"
#include "results/run_record.h"

namespace splitbench::host {

// What the checks need of a rank.
struct VerifyContext {
  Operation operation;
  std::uint64_t seed = 1;
  int rank = 0;
  SharedRegion* region = nullptr;
  RankBarrier* barrier = nullptr;
  AllReduce* all_reduce = nullptr;
  const Weights* weights = nullptr;
};

// The worked 2 x 4 example on ranks 0 and 1, with ReLU where it belongs and, as a control, after
// the sum; further ranks contribute zeros.
bool exact_example(int rank, AllReduce& all_reduce);

// Everything, at the operation's own shape, on its own weights. The same on every rank, checksum of
// all results included.
Correctness verify(const VerifyContext& context);

// That checksum alone: the same results computed again, compared with nothing.
std::string compute_again(const VerifyContext& context);

}  // namespace splitbench::host
