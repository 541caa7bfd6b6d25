#include "model/wire.h"

#include <bit>
#include <string>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

void require_ranks(int ranks) {
  if (ranks < 1) {
    throw InvalidInput("ranks", "ranks is " + std::to_string(ranks) + "; expected at least 1");
  }
}

int levels(int ranks) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1)));
}  // ceil(log2 N)

}  // namespace

std::string_view name(AllReduceAlgorithm algorithm) {
  switch (algorithm) {
    case AllReduceAlgorithm::ring:
      return "ring";
    case AllReduceAlgorithm::one_shot:
      return "one-shot";
    case AllReduceAlgorithm::tree:
      return "tree";
  }
  return "unknown";
}

Bytes wire_bytes(Bytes message, int ranks, AllReduceAlgorithm algorithm) {
  require_ranks(ranks);
  switch (algorithm) {
    case AllReduceAlgorithm::ring:
      return message * (2.0 * (ranks - 1) / ranks);
    case AllReduceAlgorithm::one_shot:
      return message * (ranks - 1);
    case AllReduceAlgorithm::tree:
      return message * (2.0 * levels(ranks));
  }
  throw InvalidInput("algorithm", "unknown all-reduce algorithm");
}

std::string_view name(Collective collective) {
  switch (collective) {
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::all_gather:
      return "all_gather";
    case Collective::reduce_scatter:
      return "reduce_scatter";
    case Collective::all_to_all:
      return "alltoall";
    case Collective::broadcast:
      return "broadcast";
    case Collective::reduce:
      return "reduce";
  }
  return "unknown";
}

BytesPerSecond algorithm_bandwidth(Bytes size, Seconds time) {
  return size / time;
}

double bus_bandwidth_factor(int ranks, Collective collective) {
  require_ranks(ranks);
  switch (collective) {
    case Collective::all_reduce:
      return 2.0 * (ranks - 1) / ranks;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all:
      return static_cast<double>(ranks - 1) / ranks;
    case Collective::broadcast:
    case Collective::reduce:
      return 1.0;
  }
  throw InvalidInput("collective", "unknown collective");
}

BytesPerSecond bus_bandwidth(Bytes size, Seconds time, int ranks, Collective collective) {
  return algorithm_bandwidth(size, time) * bus_bandwidth_factor(ranks, collective);
}

}  // namespace splitbench
