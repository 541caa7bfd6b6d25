#include "harness/backends/host/rig.h"

#include <algorithm>
#include <chrono>

#include "harness/rank/time_table.h"

namespace splitbench::host {
namespace {

using Clock = std::chrono::steady_clock;

bool stamped_by_layer(Arm arm, bool all_ranks) {
  return arm == Arm::shard || arm == Arm::split || (arm == Arm::serial && all_ranks);
}

std::size_t elements(Bytes message) {
  return static_cast<std::size_t>(message.value()) / sizeof(float);
}

}  // namespace

// Writes seconds into this rank's column of the table of times: per repeat the whole, then layers.
class HostRig::Stopwatch {
 public:
  Stopwatch(std::span<double> column, int layers) : next_(column.data()), layers_(layers) {}

  // While warming up nothing is kept.
  void keep(bool keep) { keep_ = keep; }

  void start() { start_ = last_ = Clock::now(); }
  // Work of several equal pieces counts as one of them.
  void stop(int pieces) {
    const Clock::time_point end = Clock::now();
    if (!keep_) return;
    next_[0] = seconds(end - start_) / pieces;
    next_ += 1 + layers_;
  }
  // A layer ends here and the next begins.
  void end_of_layer(std::int64_t layer) {
    if (layers_ == 0) return;
    const Clock::time_point now = Clock::now();
    write(layer, now);
    last_ = now;
  }
  // A part of a layer, between two stamps of its own.
  void begin_part() {
    if (layers_ > 0) last_ = Clock::now();
  }
  void end_part(std::int64_t layer) {
    if (layers_ > 0) write(layer, Clock::now());
  }

 private:
  static double seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  }
  void write(std::int64_t layer, Clock::time_point now) {
    if (keep_) next_[1 + layer] = seconds(now - last_);
  }

  double* next_;
  int layers_;
  bool keep_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

HostRig::HostRig(const RigSpec& spec, const RigContext& context,
                 std::shared_ptr<const Weights> weights)
    : spec_(spec),
      context_(context),
      weights_(std::move(weights)),
      all_reduce_(*context.region, *context.barrier, context.rank, context.largest_message),
      input_(make_input(spec.operation, spec.seed, 0, Values::random)),
      x_(input_),
      normalised_(input_),
      hidden_(static_cast<std::size_t>(spec.operation.tokens * spec.operation.d_ff)),
      y_(input_.size()),
      message_(context.largest_message),
      verified_(spec.verified) {}

Correctness HostRig::verify() {
  const VerifyContext context{.operation = spec_.operation,
                              .seed = spec_.seed,
                              .rank = context_.rank,
                              .region = context_.region,
                              .barrier = context_.barrier,
                              .all_reduce = &all_reduce_,
                              .weights = weights_.get()};
  // The bits that were compared before are as right as they were then.
  if (verified_ && compute_again(context) == verified_->checksum) return *verified_;
  verified_ = host::verify(context);
  return *verified_;
}

void HostRig::restore_input() {
  x_ = input_;
  std::fill(y_.begin(), y_.end(), 0.0F);
  serial_part(spec_.operation, y_, x_, normalised_);
}

// Writes, then reads, more than twice the last-level cache.
void HostRig::flush_caches() {
  std::fill(context_.flush_buffer.begin(), context_.flush_buffer.end(), 1.0F);
  float sum = 0.0F;
  for (const float value : context_.flush_buffer) sum += value;
  context_.flush_buffer.front() = sum;
}

void HostRig::repeat(Arm arm, std::size_t message, Stopwatch& watch) {
  const Operation& op = spec_.operation;
  const std::vector<LayerWeights>& full = weights_->full;
  const std::vector<LayerWeights>& shard = weights_->shard;
  switch (arm) {
    case Arm::empty:
      watch.start();
      break;
    case Arm::serial:
      watch.start();
      for (std::int64_t layer = 0; layer < op.layers; ++layer) {
        serial_part(op, y_, x_, normalised_);
        watch.end_of_layer(layer);
      }
      break;
    case Arm::full:
      watch.start();
      for (const LayerWeights& weights : full) mlp(op, normalised_, weights, hidden_, y_);
      break;
    case Arm::shard:
    case Arm::shard_alone: {
      const std::span<float> partial = all_reduce_.partial(y_.size());
      watch.start();
      for (std::int64_t layer = 0; layer < op.layers; ++layer) {
        mlp(op, normalised_, shard[static_cast<std::size_t>(layer)], hidden_, partial);
        watch.end_of_layer(layer);
      }
      break;
    }
    case Arm::collective:
    case Arm::collective_pipelined:
    case Arm::collective_sweep: {
      const std::span<float> output = std::span(message_).first(message);
      if (spec_.cache == Cache::flushed) {
        // The message is fresh from the product that made it, as in the operation.
        std::ranges::fill(all_reduce_.partial(message), 1.0F);
        context_.barrier->meet();
      }
      watch.start();
      for (int i = 0; i < pieces(arm); ++i) all_reduce_.sum(output);
      break;
    }
    case Arm::unsplit:
    case Arm::twin:
      watch.start();
      for (const LayerWeights& weights : full) {
        serial_part(op, y_, x_, normalised_);
        mlp(op, normalised_, weights, hidden_, y_);
      }
      break;
    case Arm::split:
    case Arm::split_without_collective:
      watch.start();
      for (std::int64_t layer = 0; layer < op.layers; ++layer) {
        serial_part(op, y_, x_, normalised_);
        mlp(op, normalised_, shard[static_cast<std::size_t>(layer)], hidden_,
            all_reduce_.partial(y_.size()));
        if (arm == Arm::split_without_collective) continue;
        watch.begin_part();
        all_reduce_.sum(y_);
        watch.end_part(layer);
      }
      break;
  }
  watch.stop(pieces(arm));
}

int HostRig::pieces(Arm arm) const {
  return arm == Arm::collective_pipelined ? static_cast<int>(spec_.operation.layers) : 1;
}

Block HostRig::run(const Step& step, int repeats) {
  const bool all_ranks = !step.device.has_value();
  const bool takes_part = all_ranks || *step.device == context_.rank;
  const int layers =
      stamped_by_layer(step.arm, all_ranks) ? static_cast<int>(spec_.operation.layers) : 0;
  context_.barrier->meet_asleep();
  if (takes_part) {
    restore_input();
    Stopwatch watch(context_.region->times(context_.rank), layers);
    const std::size_t message = step.message ? elements(*step.message) : 0;
    const int untimed = spec_.cache == Cache::hot ? 1 : 0;
    for (int i = 0; i < untimed + repeats; ++i) {
      watch.keep(i >= untimed);
      if (spec_.cache == Cache::flushed) flush_caches();
      if (all_ranks) context_.barrier->meet();
      repeat(step.arm, message, watch);
    }
  }
  context_.barrier->meet_asleep();
  Block block;
  if (context_.rank == 0) block = block_from_times(*context_.region, step, repeats, layers);
  context_.barrier->meet_asleep();
  return block;
}

}  // namespace splitbench::host
