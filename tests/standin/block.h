// The threads of one block of a kernel, run on one thread of the CPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

#include "tests/standin/near.h"

namespace splitbench::standin {

inline constexpr unsigned kWarpThreads = 32;
inline constexpr unsigned kMostThreadsOfBlock = 1024;

enum class Threads {
  independent,  // each may run to its end before the next begins
  cooperating,  // they meet at barriers or exchange values
};

// Every block of the grid, every thread of each; false when one left the memory that is there.
bool run_grid(dim3 grid, dim3 block, Threads threads, const std::function<void()>& body);

// From inside a cooperating thread: waits for the block, or for the named lanes of its warp. Lanes
// that have returned are not waited for.
void meet_block();
void meet_warp(unsigned lanes);

// The running thread's place in its warp, and where a lane of the warp leaves a value for others:
// what is written before meet_warp() can be read until the next but one.
unsigned lane_of_thread();
void* exchange_slot(unsigned lane);
inline constexpr std::size_t kExchangeBytes = 16;
void next_exchange();

}  // namespace splitbench::standin
