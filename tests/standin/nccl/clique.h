// The memory that the ranks of one communicator share, in whatever processes they are.
//
// It is anonymous memory of the process that made the unique id, opened by the others through
// /proc; the id says where. So nothing is left behind, whatever dies, and, as with NCCL itself, the
// maker has to live until every rank has come. The last rank to die frees it.
#pragma once

#include <nccl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tests/standin/clock.h"

namespace splitbench::standin {

inline constexpr int kMostRanks = 64;
inline constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

// What a rank is about to do: ranks that differ in it must not exchange anything.
struct CollectiveCall {
  std::uint64_t count = 0;
  ncclDataType_t type = ncclFloat32;
  ncclRedOp_t operation = ncclSum;
  bool operator==(const CollectiveCall&) const = default;
};

class Clique {
 public:
  // Makes the memory. Throws std::runtime_error.
  static ncclUniqueId make();

  // Joins, without waiting for the others. Throws std::runtime_error where the id names no clique,
  // where it is one of another size, or where the rank is taken.
  Clique(const ncclUniqueId& id, int rank, int ranks, int device, std::uint64_t host);
  ~Clique();
  Clique(const Clique&) = delete;
  Clique& operator=(const Clique&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  bool complete() const;  // every rank has joined

  // Of a complete clique:
  int device_of(int rank) const;
  bool has_duplicate_device() const;  // of one host; on two it is taken for two devices

  // The first error that any rank has met stays.
  void set_error(ncclResult_t error);
  ncclResult_t error() const;

  // Two chunks a rank, used in turn: while one is read, no rank is in the next meeting but one.
  struct Chunk {
    CollectiveCall call;
    alignas(64) std::byte data[kChunkBytes];
  };
  Chunk& mine() { return chunk(rank_, meetings_); }
  // What `rank` had put there before the latest meeting.
  const Chunk& theirs(int rank) const { return chunk(rank, meetings_ - 1); }

  // Returns the latest of all ranks' arrivals, once all have come; nothing where `cancelled`.
  std::optional<Time> meet(Time arrival, const std::function<bool()>& cancelled);

 private:
  struct Memory;

  Chunk& chunk(int rank, std::uint64_t meeting) const;

  Memory* memory_ = nullptr;
  std::uint64_t subject_;  // of the meetings
  int rank_;
  int ranks_;
  std::uint64_t meetings_ = 0;
};

}  // namespace splitbench::standin
