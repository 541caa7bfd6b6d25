#include "tests/standin/nccl/communicator.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/memory.h"
#include "tests/standin/nccl/reduction.h"
#include "tests/standin/scenario.h"
#include "tests/standin/shared_state.h"

namespace splitbench::standin {
namespace {

constexpr double kSlowLink = 10;  // times slower, where the fault does not say

double slowness_of_links() {
  const Fault* fault = find_fault("slow-link", -1);
  return fault == nullptr ? 1 : fault->number("factor", kSlowLink);
}

}  // namespace

void Communicator::wait_for_all() const {
  wait_until([this] { return clique_.complete(); });
}

void Communicator::all_reduce(Turn& turn, const AllReduceCall& call) {
  const std::lock_guard lock(mutex_);
  const std::size_t bytes = call.what.count * size_of(call.what.type);
  if (!accessible(device_, call.from, bytes) || !accessible(device_, call.to, bytes)) {
    raise(device_, cudaErrorIllegalAddress);
    return;
  }
  if (strike("hang-in-collective", device_) != nullptr) return wait_for_abort();
  if (const Fault* fault = strike("async-error", device_)) {
    return fail(static_cast<ncclResult_t>(fault->number("code", ncclRemoteError)));
  }
  const auto* from = static_cast<const std::byte*>(call.from);
  auto* to = static_cast<std::byte*>(call.to);
  for (std::size_t done = 0; done < bytes; done += kChunkBytes) {
    const std::size_t size = std::min(kChunkBytes, bytes - done);
    clique_.mine().call = call.what;
    std::memcpy(clique_.mine().data, from + done, size);
    const std::optional<Time> latest = clique_.meet(turn.now(), [this] { return aborted_.load(); });
    if (!latest) return;
    if (!ranks_agree()) return fail(ncclInternalError);
    turn.wait_for(*latest);
    sum_chunk(call.what, size, to + done);
  }
  if (strike("wrong-result", device_) != nullptr) {
    increment(call.what.type, to + bytes - size_of(call.what.type));
  }
  turn.spend(seconds_of(call.what));
}

double Communicator::seconds_of(const CollectiveCall& call) const {
  const double ranks = clique_.ranks();
  const double message = static_cast<double>(call.count * size_of(call.type));
  const double wire = 2 * (ranks - 1) / ranks * message;
  return scenario().latency_s + slowness_of_links() * wire / scenario().bandwidth_bytes_per_s;
}

void Communicator::abort() {
  wait_until([this] { return find_fault("hang-in-abort", device_) == nullptr; });
  aborted_ = true;
  wake();
}

bool Communicator::ranks_agree() const {
  for (int rank = 1; rank < clique_.ranks(); ++rank) {
    if (clique_.theirs(rank).call != clique_.theirs(0).call) return false;
  }
  return true;
}

void Communicator::sum_chunk(const CollectiveCall& call, std::size_t bytes, void* to) {
  for (int rank = 0; rank < clique_.ranks(); ++rank) {
    const std::byte* term =
        fabric_.receive(device_, clique_.device_of(rank), clique_.theirs(rank).data, bytes);
    if (rank == 0) {
      std::memcpy(to, term, bytes);
    } else {
      add(call.type, to, term, bytes / size_of(call.type));
    }
  }
}

void Communicator::fail(ncclResult_t error) {
  clique_.set_error(error);
  wait_for_abort();
}

void Communicator::wait_for_abort() {
  wait_until([this] { return aborted_.load(); });
}

}  // namespace splitbench::standin
