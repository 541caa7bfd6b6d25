#include "harness/backends/simulated/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/error.h"

namespace splitbench::simulated {

LayerTimes layer_times(const Scenario& scenario, const Operation& operation, int ranks) {
  const double flops = 4.0 * static_cast<double>(operation.tokens) *
                       static_cast<double>(operation.d_model) * static_cast<double>(operation.d_ff);
  LayerTimes times;
  times.serial = scenario.serial_s;
  times.serial_all_ranks = scenario.serial_s + scenario.serial_extra_s;
  times.product = scenario.product_s.value_or(flops / scenario.flops_per_s);
  times.shard = times.product / (ranks * scenario.shard_efficiency);
  times.shard_alone = times.shard / scenario.shared_factor;
  return times;
}

double collective_seconds(const Scenario& scenario, double message, int ranks) {
  const auto segment = std::find_if(
      scenario.collective.begin(), scenario.collective.end(),
      [message](const Segment& one) { return !one.to_bytes || message <= *one.to_bytes; });
  const double wire = 2.0 * (ranks - 1) / ranks * message;
  return segment->latency_s + wire / segment->bandwidth_bytes_per_s;
}

bool fits_one_device(const Scenario& scenario, const Operation& operation) {
  return weight_bytes(operation).value() <= scenario.memory_bytes;
}

Bytes memory_peak(const Scenario& scenario, const Operation& operation, int ranks) {
  const Bytes whole = weight_bytes(operation);
  return fits_one_device(scenario, operation) ? whole : Bytes(whole.value() / ranks);
}

// One repeat of one step, on the ranks that take part.
class Simulation::Sample {
 public:
  Sample(Simulation& simulation, const Operation& operation, const Step& step)
      : s_(simulation),
        step_(step),
        layers_(static_cast<int>(operation.layers)),
        first_(step.device.value_or(0)),
        end_(step.device ? first_ + 1 : s_.ranks_),
        times_(layer_times(s_.scenario_, operation, s_.ranks_)),
        stamp_(step.device ? s_.scenario_.stamp_s : s_.scenario_.stamp_all_ranks_s),
        message_(step.message ? step.message->value() : message_bytes(operation).value()) {}

  int ranks() const { return end_ - first_; }
  int layers() const { return layers_; }

  void take(Block& block) {
    block_ = &block;
    s_.noise_.begin_sample(s_.now_);
    release();
    run();
    double longest = 0.0;
    for (int rank = first_; rank < end_; ++rank) {
      block.seconds.push_back((clock(rank) - at(s_.start_, rank)) / pieces());
      longest = std::max(longest, clock(rank));
    }
    s_.now_ += longest;
    look_for_hang();
  }

 private:
  static double& at(std::vector<double>& values, int rank) {
    return values[static_cast<std::size_t>(rank)];
  }
  double& clock(int rank) { return at(s_.clock_, rank); }

  // Equal pieces of work that are timed together.
  int pieces() const { return step_.arm == Arm::collective_pipelined ? layers_ : 1; }

  void run() {
    switch (step_.arm) {
      case Arm::empty:
        break;
      case Arm::serial:
        for (int layer = 0; layer < layers_; ++layer) {
          serial(layer);
          if (!step_.device) end_of_layer();
        }
        break;
      case Arm::full:
        for (int layer = 0; layer < layers_; ++layer) work(Work::product, times_.product, layer);
        break;
      case Arm::shard:
        for (int layer = 0; layer < layers_; ++layer) {
          work(Work::shard, times_.shard, layer);
          end_of_layer();
        }
        break;
      case Arm::shard_alone:
        for (int layer = 0; layer < layers_; ++layer) work(Work::shard, times_.shard_alone, layer);
        break;
      case Arm::collective:
      case Arm::collective_pipelined:
      case Arm::collective_sweep:
        for (int piece = 0; piece < pieces(); ++piece) collective(piece);
        break;
      case Arm::unsplit:
      case Arm::twin:
        for (int layer = 0; layer < layers_; ++layer) {
          serial(layer);
          work(Work::product, times_.product, layer);
        }
        break;
      case Arm::split:
      case Arm::split_without_collective:
        for (int layer = 0; layer < layers_; ++layer) {
          serial(layer);
          work(Work::shard, times_.shard, layer);
          if (step_.arm == Arm::split_without_collective) continue;
          contend();
          stamp();
          collective(layer);
          end_of_layer();
        }
        break;
    }
  }

  // The start stamp follows the common release, each rank as late as it is.
  void release() {
    for (int rank = first_; rank < end_; ++rank) {
      clock(rank) = step_.device ? 0.0 : s_.noise_.start_delay();
      if (!step_.device) clock(rank) += delay(Work::start, rank, 0);
      at(s_.start_, rank) = clock(rank);
    }
    stamp();
  }

  // A stamp reads the clock, then costs what it costs.
  void stamp() {
    for (int rank = first_; rank < end_; ++rank) {
      at(s_.last_stamp_, rank) = clock(rank);
      clock(rank) += stamp_;
    }
  }

  // What has passed since each rank's stamp before.
  void end_of_layer() {
    for (int rank = first_; rank < end_; ++rank) {
      block_->layer_seconds.push_back(clock(rank) - at(s_.last_stamp_, rank));
    }
    stamp();
  }

  void serial(int layer) {
    work(Work::serial, step_.device ? times_.serial : times_.serial_all_ranks, layer);
  }

  void work(Work work, double seconds, int layer) {
    for (int rank = first_; rank < end_; ++rank) {
      const double needed = seconds * s_.noise_.factor(work, rank);
      clock(rank) += s_.pace_.duration(work, rank, s_.now_ + clock(rank), needed);
      clock(rank) += delay(work, rank, layer);
    }
  }

  // From the first arrival on the others are slower: whoever waits takes some of what they share.
  void contend() {
    if (s_.scenario_.contention == 1.0) return;
    const double first = *std::min_element(s_.clock_.begin(), s_.clock_.end());
    for (double& clock : s_.clock_) clock = first + s_.scenario_.contention * (clock - first);
  }

  void collective(int layer) {
    double begin = 0.0;
    for (int rank = first_; rank < end_; ++rank) {
      clock(rank) += delay(Work::collective, rank, layer);
      begin = std::max(begin, clock(rank));
    }
    const double needed =
        collective_seconds(s_.scenario_, message_, s_.ranks_) * s_.noise_.collective_factor();
    const double end = begin + s_.pace_.duration(Work::collective, {}, s_.now_ + begin, needed);
    for (int rank = first_; rank < end_; ++rank) clock(rank) = end;
  }

  double delay(Work at, int rank, int layer) const {
    double seconds = 0.0;
    for (const Delay& one : s_.scenario_.delays) {
      const bool here = one.at == at && one.rank.value_or(rank) == rank &&
                        (at == Work::start || one.layer.value_or(layer) == layer);
      const bool now = one.arms.empty() ||
                       std::find(one.arms.begin(), one.arms.end(), step_.arm) != one.arms.end();
      if (here && now) seconds += one.seconds;
    }
    return seconds;
  }

  void look_for_hang() const {
    for (const Fault& fault : s_.scenario_.faults) {
      if (fault.fault != FaultKind::hang || !s_.is_due(fault, s_.now_)) continue;
      if (fault.rank < first_ || fault.rank >= end_) continue;
      throw HarnessError(fmt::format(
          "rank {} hangs in arm {}, as its scenario says: nothing is left that could happen",
          fault.rank, name(step_.arm)));
    }
  }

  Simulation& s_;
  const Step& step_;
  int layers_;
  int first_;  // the ranks that take part: first_ <= rank < end_
  int end_;
  LayerTimes times_;
  double stamp_;
  double message_;
  Block* block_ = nullptr;
};

namespace {

bool is_stamped_by_layer(const Step& step) {
  return !step.device &&
         (step.arm == Arm::serial || step.arm == Arm::shard || step.arm == Arm::split);
}

}  // namespace

Simulation::Simulation(Scenario scenario, int ranks, std::uint64_t seed, int session)
    : scenario_(std::move(scenario)),
      ranks_(ranks),
      session_(session),
      noise_(scenario_.noise, ranks, seed, session),
      pace_(scenario_.slowdowns),
      clock_(static_cast<std::size_t>(ranks)),
      start_(clock_.size()),
      last_stamp_(clock_.size()) {}

Block Simulation::run(const Operation& operation, const Step& step, int repeats) {
  Sample sample(*this, operation, step);
  Block block{.device = step.device.value_or(0),
              .ranks = sample.ranks(),
              .layers = is_stamped_by_layer(step) ? sample.layers() : 0};
  const auto times = static_cast<std::size_t>(repeats) * static_cast<std::size_t>(block.ranks);
  block.seconds.reserve(times);
  block.layer_seconds.reserve(times * static_cast<std::size_t>(block.layers));
  noise_.begin_step(step);
  for (int i = 0; i < repeats; ++i) sample.take(block);
  return block;
}

bool Simulation::is_due(const Fault& fault, double at) const {
  return fault.session.value_or(session_) == session_ && at >= fault.after_s;
}

const Fault* Simulation::wrong_data() const {
  const auto& faults = scenario_.faults;
  const auto found = std::find_if(faults.begin(), faults.end(), [this](const Fault& fault) {
    return fault.fault == FaultKind::wrong_data && is_due(fault, now_);
  });
  return found == faults.end() ? nullptr : &*found;
}

}  // namespace splitbench::simulated
