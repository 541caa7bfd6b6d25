// Message bytes and wire bytes: what a collective is asked to do, and what its critical path
// carries.
#pragma once

#include <string_view>

#include "model/quantity.h"

namespace splitbench {

enum class AllReduceAlgorithm { ring, one_shot, tree };

std::string_view name(AllReduceAlgorithm algorithm);

// V: bytes that the busiest rank's path carries in one direction, for an all-reduce of `message`
// bytes over `ranks` ranks. Zero on one rank. Throws InvalidInput for ranks < 1.
//   ring      2 (N-1)/N M: reduce-scatter then all-gather, (N-1)/N M each. NCCL's double binary
//             tree moves the same bytes a rank on average.
//   one_shot  (N-1) M: every rank reads the whole message of every other rank.
//   tree      2 ceil(log2 N) M: reduce to a root then broadcast, a whole message a level, nothing
//             pipelined.
// Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
// MPICH", IJHPCA 2005, section 4 (ring, tree); docs/formulas.md "Split time" (ring).
Bytes wire_bytes(Bytes message, int ranks, AllReduceAlgorithm algorithm = AllReduceAlgorithm::ring);

enum class Collective { all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce };

std::string_view name(Collective collective);

// algbw and busbw as nccl-tests defines them (its doc/PERFORMANCE.md): size over time, and that
// times a factor which makes the number comparable with the one-way rate of a link at any rank
// count.
BytesPerSecond algorithm_bandwidth(Bytes size, Seconds time);
BytesPerSecond bus_bandwidth(Bytes size, Seconds time, int ranks,
                             Collective collective = Collective::all_reduce);
double bus_bandwidth_factor(int ranks, Collective collective);

}  // namespace splitbench
