#include "harness/backends/host/node.h"

#include <cblas.h>
#include <sys/resource.h>

#include <fstream>
#include <utility>

#include "harness/backends/host/core_speed.h"

namespace splitbench::host {

HostNode::HostNode(const RankSeat& seat, const Core& core, bool shares_core, Bytes last_level_cache)
    : rank_(seat.rank),
      may_share_core_(shares_core || seat.request.oversubscribe),
      region_(seat.shared),
      barrier_(*seat.shared, seat.rank, seat.patience, shares_core),
      last_level_cache_(last_level_cache) {
  bind_to(core);
  openblas_set_num_threads(1);
}

std::shared_ptr<const Weights> HostNode::weights(const RigSpec& spec) {
  const Operation& op = spec.operation;
  auto& entry = weights_[{op.d_model, op.d_ff, op.layers, spec.seed}];
  if (!entry) {
    entry = std::make_shared<Weights>(
        rank_weights(op, spec.seed, rank_, ranks(), Heartbeat(region_->status(rank_))));
  }
  return entry;
}

std::unique_ptr<Rig> HostNode::prepare(const RigSpec& spec) {
  if (spec.cache == Cache::flushed && flush_buffer_.empty()) {
    // Ranks that share a cache write more than twice its size each.
    flush_buffer_.resize(static_cast<std::size_t>(2.5 * last_level_cache_.value()) / sizeof(float));
  }
  const RigContext context{.rank = rank_,
                           .region = region_,
                           .barrier = &barrier_,
                           .largest_message = AllReduce::largest(*region_),
                           .flush_buffer = spec.cache == Cache::flushed
                                               ? std::span<float>(flush_buffer_)
                                               : std::span<float>()};
  return std::make_unique<HostRig>(spec, context, weights(spec));
}

namespace {

// /proc/self/schedstat: nanoseconds on a core, nanoseconds waiting for one.
CoreTime core_time() {
  std::ifstream in("/proc/self/schedstat");
  CoreTime time;
  if (!(in >> time.running >> time.waiting)) return {};
  return {.running = 1e-9 * time.running, .waiting = 1e-9 * time.waiting};
}

// Share of the time in which this process could run that it waited. 0 where nothing is known.
double waiting_share(const CoreTime& from, const CoreTime& to) {
  const double running = to.running - from.running;
  const double waiting = to.waiting - from.waiting;
  return running + waiting > 0.0 ? waiting / (running + waiting) : 0.0;
}

}  // namespace

void HostNode::report(SessionRecord& record) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const std::span<double> out = region_->times(rank_);
  out[0] = static_cast<double>(usage.ru_maxrss) * 1024.0;  // Linux counts it in KiB
  out[1] = static_cast<double>(usage.ru_nivcsw);
  out[2] = waiting_share({}, core_time());
  barrier_.meet_asleep();
  for (int rank = 0; rank < ranks(); ++rank) {
    const std::span<const double> row = region_->times(rank);
    record.memory_peak.emplace_back(row[0]);
    record.health.push_back({{"rank", rank},
                             {"involuntary_context_switches", static_cast<std::int64_t>(row[1])},
                             {"device_taken_by_others", row[2]}});
  }
  barrier_.meet_asleep();
}

void HostNode::report_round(RoundRecord& record) {
  const CoreTime now = core_time();
  const std::span<double> out = region_->times(rank_);
  out[0] = waiting_share(last_round_, now);
  out[1] = fixed_work_seconds();
  last_round_ = now;
  barrier_.meet_asleep();
  for (int rank = 0; rank < ranks(); ++rank) {
    DeviceHealth health;
    health.rank = rank;
    if (may_share_core_) {
      for (const char* key : {kTakenByOthers, kFixedWork}) {
        health.unknown[key] = "ranks may share cores, so a rank may wait for another one";
      }
    } else {
      const std::span<const double> row = region_->times(rank);
      health.readings = {{kTakenByOthers, row[0]}, {kFixedWork, row[1]}};
    }
    record.health.push_back(std::move(health));
  }
  barrier_.meet_asleep();
}

}  // namespace splitbench::host
