#include "harness/backends/cuda/node.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "harness/backends/cuda/memory_need.h"
#include "harness/error.h"

namespace splitbench::cuda {
namespace {

// Where ranks share cores, one that waits gives way.
bool ranks_share_cores(int ranks) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return true;
  return CPU_COUNT(&allowed) < ranks;
}

bool stands_in_with_virtual_time() {
  const auto truth = stand_in_truth();
  return truth && nlohmann::json::parse(*truth).at("clock") == "virtual";
}

}  // namespace

CudaNode::CudaNode(const RankSeat& seat, int device, int sharers)
    : rank_(seat.rank),
      region_(seat.shared),
      patience_(seat.patience),
      barrier_(*seat.shared, seat.rank, seat.patience, ranks_share_cores(seat.shared->ranks())),
      device_(describe_device(device)),
      sharers_(sharers),
      time_is_virtual_(stands_in_with_virtual_time()),
      stream_((use_device(device), make_stream())),
      release_(*seat.shared),
      line_up_(sizeof(float)) {
  set_bytes(line_up_.data(), 0, line_up_.bytes(), stream_.get());
  const std::string id = broadcast(rank_ == 0 ? Communicator::make_id() : "");
  communicator_.emplace(id, rank_, ranks());
  note_memory();
}

// Weights that are whole on every device, or on none: the device of the whole rotates.
std::shared_ptr<const Weights> CudaNode::weights(const RigSpec& spec) {
  const Operation& op = spec.operation;
  auto& entry = weights_[{op.d_model, op.d_ff, op.layers, op.dtype, spec.seed}];
  if (entry) return entry;
  auto made = std::make_shared<Weights>();
  const std::int64_t width = op.d_ff / ranks();
  for (std::int64_t layer = 0; layer < op.layers; ++layer) {
    made->shard.push_back(
        make_weights(op, spec.seed, layer, rank_ * width, width, Values::random, stream_.get()));
  }
  // Ranks that share a device all look before one of them takes.
  std::optional<std::vector<LayerWeights>> whole;
  if (barrier_.all_of(leaves_room(spec))) whole = whole_weights(spec);
  if (barrier_.all_of(whole.has_value())) {
    made->full = *std::move(whole);
  } else {
    require_too_large(spec);
  }
  entry = std::move(made);
  return entry;
}

std::optional<std::vector<LayerWeights>> CudaNode::whole_weights(const RigSpec& spec) const {
  const Operation& op = spec.operation;
  std::vector<LayerWeights> whole;
  for (std::int64_t layer = 0; layer < op.layers; ++layer) {
    auto a = DeviceMemory::try_allocate(DeviceMatrix::bytes(op.dtype, op.d_model, op.d_ff));
    auto b = DeviceMemory::try_allocate(DeviceMatrix::bytes(op.dtype, op.d_ff, op.d_model));
    if (!a || !b) return std::nullopt;
    whole.push_back({.width = op.d_ff,
                     .a = DeviceMatrix(*std::move(a), op.dtype, op.d_model, op.d_ff),
                     .b = DeviceMatrix(*std::move(b), op.dtype, op.d_ff, op.d_model)});
    fill_weights(whole.back(), op, spec.seed, layer, 0, Values::random, stream_.get());
  }
  return whole;
}

// For the point's buffers and its verification beside its whole weights, of every rank on this
// device, and a twentieth of the device for what the libraries take.
bool CudaNode::leaves_room(const RigSpec& spec) const {
  const Operation& op = spec.operation;
  const Bytes of_a_rank = weight_bytes(op) + buffers_needed(op, spec.largest_message) +
                          verification_needed(op, ranks());
  return of_a_rank * sharers_ + device_.memory * 0.05 <= memory_use().free;
}

// Whole weights found no room: because of their own size, or because of the points before?
void CudaNode::require_too_large(const RigSpec& spec) const {
  const Bytes whole = weight_bytes(spec.operation);
  if (weights_.size() == 1 || whole > device_.memory) return;
  throw HarnessError(fmt::format(
      "the weights of d_model {}, d_ff {}, {} layers ({:.3g} GB) found no room beside those of the "
      "other points on a device of {:.3g} GB\nTo mend it: measure these points in a run of their "
      "own",
      spec.operation.d_model, spec.operation.d_ff, spec.operation.layers, whole.value() * 1e-9,
      device_.memory.value() * 1e-9));
}

std::unique_ptr<Rig> CudaNode::prepare(const RigSpec& spec) {
  if (spec.cache == Cache::flushed && flush_buffer_.bytes() == 0) {
    flush_buffer_ = DeviceMemory(flush_bytes(device_));
  }
  const RigContext context{.rank = rank_,
                           .ranks = ranks(),
                           .region = region_,
                           .barrier = &barrier_,
                           .release = &release_,
                           .library = &library_,
                           .communicator = &*communicator_,
                           .stream = stream_.get(),
                           .line_up = &line_up_,
                           .flush_buffer = &flush_buffer_,
                           .patience = patience_};
  auto rig = std::make_unique<CudaRig>(spec, context, weights(spec));
  note_memory();
  return rig;
}

void CudaNode::note_memory() {
  const MemoryUse use = memory_use();
  peak_ = std::max(peak_, use.total - use.free);
}

void CudaNode::report(SessionRecord& record) {
  note_memory();
  region_->times(rank_)[0] = peak_.value();
  if (const auto truth = stand_in_truth()) {
    record.stand_in = nlohmann::ordered_json::parse(*truth);
  }
  barrier_.meet_asleep();
  for (int rank = 0; rank < ranks(); ++rank) {
    record.memory_peak.emplace_back(region_->times(rank)[0]);
  }
  barrier_.meet_asleep();
}

}  // namespace splitbench::cuda
