#include "harness/backends/cuda/rig.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/backends/cuda/verify.h"
#include "harness/error.h"
#include "harness/rank/time_table.h"
#include "kernels/fill.h"
#include "kernels/flush.h"
#include "kernels/serial_part.h"
#include "model/matrix_values.h"
#include "model/statistics.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::json;

// A timer may be off by a step at either end: both together no more than this of what is timed.
constexpr double kCoarsestSteps = 0.002;

std::size_t most_marks(const Operation& operation) {
  return 1 + static_cast<std::size_t>(operation.layers);
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

CudaRig::CudaRig(const RigSpec& spec, const RigContext& context,
                 std::shared_ptr<const Weights> weights)
    : spec_(spec),
      context_(context),
      weights_(std::move(weights)),
      input_(make_input(spec.operation, spec.seed, 0, Values::random, context.stream)),
      x_(spec.operation.dtype, spec.operation.tokens, spec.operation.d_model),
      normalised_(spec.operation.dtype, spec.operation.tokens, spec.operation.d_model),
      hidden_(spec.operation.dtype, spec.operation.tokens, spec.operation.d_ff),
      y_(spec.operation.dtype, spec.operation.tokens, spec.operation.d_model),
      message_(
          spec.operation.dtype, 1,
          static_cast<std::int64_t>(spec.largest_message / element_size(spec.operation.dtype))) {
  prepare_input({});
  // The whole first: where a shard is timed, the library has seen the whole.
  if (!weights_->full.empty()) full_ = choose_products("full", weights_->full.front());
  shard_ = choose_products("shard", weights_->shard.front());
  choose_time_source();
  describe_collective();
}

Mlp CudaRig::choose_products(const char* width, const LayerWeights& weights) {
  const auto pinned_at = [this, width](const char* which) {
    const auto at = nlohmann::ordered_json::json_pointer("/products") / width / which;
    return spec_.pinned.contains(at) ? Json(spec_.pinned.at(at)) : Json(nullptr);
  };
  const Operation& op = spec_.operation;
  Mlp mlp{.up = choose_product(
              up_product(op, weights.width),
              {.left = normalised_.data(), .right = weights.a.data(), .result = hidden_.data()},
              pinned_at("up")),
          .down = choose_product(
              down_product(op, weights.width),
              {.left = hidden_.data(), .right = weights.b.data(), .result = y_.data()},
              pinned_at("down"))};
  choices_["products"][width] = {{"up", mlp.up.choice()}, {"down", mlp.down.choice()}};
  return mlp;
}

Matmul CudaRig::choose_product(const Product& product, const Operands& operands,
                               const Json& pinned) {
  const auto restored = [&](const Json& choice) {
    return choice.is_null() ? std::nullopt : Matmul::restore(*context_.library, product, choice);
  };
  const auto searched = [&] {
    return Matmul::search(*context_.library, product, operands, context_.stream);
  };
  if (context_.rank == 0) {
    auto known = restored(pinned);
    Matmul chosen = known ? *std::move(known) : searched();
    context_.barrier->broadcast(chosen.choice().dump());
    return chosen;
  }
  auto known = restored(Json::parse(context_.barrier->broadcast("")));
  // Another kind of device than rank 0's need not have its algorithm.
  return known ? *std::move(known) : searched();
}

void CudaRig::choose_time_source() {
  const std::optional<double> step = timer_step(context_.stream);
  watch_.emplace(TimeSource::stamps, most_marks(spec_.operation));
  const double shortest = shortest_interval();
  const bool fine = step && 2.0 * *step <= kCoarsestSteps * shortest;
  TimeSource source = fine ? TimeSource::stamps : TimeSource::events;
  if (spec_.pinned.is_object()) {
    source = time_source(spec_.pinned.at("time_source").get<std::string>());
  }
  source = time_source(context_.barrier->broadcast(std::string(name(source))));
  graphs_.clear();
  watch_.emplace(source, most_marks(spec_.operation));
  choices_["time_source"] = name(source);
  choices_["timer_step_s"] = step ? nlohmann::ordered_json(*step) : nlohmann::ordered_json(nullptr);
  choices_["shortest_interval_s"] = shortest;
}

// Of what the arms tell apart: a layer's serial part, a layer's share, what the bytes of a
// collective add to its fixed cost. 0 where that is below what a few runs can see.
double CudaRig::shortest_interval() {
  const auto shortest = [this](const Program& program) {
    const std::vector<double> seconds = intervals(program);
    return *std::min_element(seconds.begin(), seconds.end());
  };
  const auto collective = [&](std::size_t elements) {
    return shortest({.arm = Arm::collective, .message = elements});
  };
  const auto elements = static_cast<std::size_t>(message_bytes(spec_.operation) /
                                                 element_size(spec_.operation.dtype));
  return std::max(0.0, std::min({shortest({.arm = Arm::serial, .layered = true}),
                                 shortest({.arm = Arm::shard, .layered = true}),
                                 collective(elements) - collective(1)}));
}

void CudaRig::describe_collective() {
  choices_["in_place"] = true;
  const Operation& op = spec_.operation;
  const auto estimate = context_.communicator->estimate(
      y_.data(), static_cast<std::size_t>(op.tokens * op.d_model), op.dtype, context_.stream);
  // Not to be trusted: what the library believes before it has seen this machine at work.
  choices_["nccl_estimate_s"] =
      estimate ? nlohmann::ordered_json(estimate->value()) : nlohmann::ordered_json(nullptr);
}

Workplace CudaRig::workplace() const {
  return {.operation = spec_.operation,
          .weights = weights_.get(),
          .full = full_ ? &*full_ : nullptr,
          .shard = shard_ ? &*shard_ : nullptr,
          .communicator = context_.communicator,
          .x = x_.view(),
          .normalised = normalised_.view(),
          .y = y_.view(),
          .hidden = hidden_.data(),
          .message = message_.data()};
}

Correctness CudaRig::verify() {
  const Workplace at = workplace();
  return cuda::verify({.at = &at,
                       .seed = spec_.seed,
                       .library = context_.library,
                       .stream = context_.stream,
                       .region = context_.region,
                       .barrier = context_.barrier,
                       .rank = context_.rank,
                       .patience = context_.patience});
}

std::vector<double> CudaRig::intervals(const Program& program) {
  prepare_input(program);
  for (int run = 0; run < 2; ++run) repeat(program, true, false);
  return watch_->intervals(marks_of(program, spec_.operation));
}

void CudaRig::wait() const {
  context_.communicator->wait(context_.stream, context_.patience);
}

void CudaRig::line_up() const {
  context_.communicator->all_reduce(context_.line_up->data(), context_.line_up->data(), 1,
                                    DataType::fp32, context_.stream);
}

void CudaRig::prepare_input(const Program& program) {
  if (takes_message(program.arm)) return;
  copy(x_.data(), input_.data(), input_.bytes(), context_.stream);
  set_bytes(y_.data(), 0, y_.bytes(), context_.stream);
  check(kernels::serial_part(y_.view(), x_.view(), normalised_.view(), context_.stream),
        "kernels::serial_part");
}

// The message is rewritten, as the product before it would do: fresh in the cache, never what
// earlier sums have grown to, and another one on every rank.
void CudaRig::prepare_repeat(const Program& program) {
  if (context_.flush_buffer->bytes() > 0) {
    check(kernels::flush(context_.flush_buffer->data(), context_.flush_buffer->bytes(),
                         context_.stream),
          "kernels::flush");
  }
  if (!takes_message(program.arm)) return;
  kernels::Matrix message = message_.view();
  message.columns = message.leading = static_cast<std::int64_t>(program.message);
  const MatrixValues values(spec_.seed, context_.rank, MatrixName::x);
  check(kernels::fill_normal(message, values.key(), {}, 1.0F, context_.stream),
        "kernels::fill_normal");
}

void CudaRig::start(const Program& program) {
  const auto queue_all = [&] { queue(program, workplace(), *watch_, context_.stream); };
  if (spec_.launch == Launch::eager) return queue_all();
  auto known = graphs_.find(program);
  if (known == graphs_.end()) {
    known = graphs_.emplace(program, capture(context_.stream, queue_all)).first;
  }
  launch(known->second.get(), context_.stream);
}

void CudaRig::repeat(const Program& program, bool all_ranks, bool timed) {
  const bool gated = timed && spec_.launch == Launch::graph;
  prepare_repeat(program);
  if (gated) context_.release->hold(context_.stream);
  if (spec_.launch == Launch::eager) {
    wait();
    if (all_ranks) context_.barrier->meet();
  } else if (all_ranks) {
    line_up();
  }
  start(program);
  watch_->fetch(marks_of(program, spec_.operation), context_.stream);
  if (gated) {
    if (all_ranks) context_.barrier->meet();
    if (!all_ranks || context_.rank == 0) context_.release->let_go();
  }
  wait();
}

void CudaRig::write_row(const Program& program, std::span<double> row) const {
  if (context_.release->came_too_late()) {
    row[0] = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const std::vector<double> seconds = watch_->intervals(marks_of(program, spec_.operation));
  row[0] = sum(seconds) / pieces_of(program, spec_.operation);
  if (program.layered) std::copy(seconds.begin(), seconds.end(), row.begin() + 1);
}

Block CudaRig::run(const Step& step, int repeats) {
  const bool all_ranks = !step.device.has_value();
  const bool takes_part = all_ranks || *step.device == context_.rank;
  const Program program = program_of(step, spec_.operation);
  const int layers = program.layered ? static_cast<int>(spec_.operation.layers) : 0;
  const std::size_t width = 1 + static_cast<std::size_t>(layers);
  const std::span<double> column = context_.region->times(context_.rank);
  context_.barrier->meet_asleep();
  if (takes_part) {
    prepare_input(program);
    // The identical queue runs without a gate before it is ever gated: what loads lazily, loads.
    const bool new_here = met_.emplace(program, all_ranks).second;
    if (new_here || spec_.cache == Cache::hot) repeat(program, all_ranks, false);
    std::vector<double> clocks;
    for (int i = 0; i < repeats; ++i) {
      repeat(program, all_ranks, true);
      write_row(program, column.subspan(static_cast<std::size_t>(i) * width, width));
      if (const auto clock = watch_->clock_hz(marks_of(program, spec_.operation))) {
        clocks.push_back(*clock);
      }
    }
    column[static_cast<std::size_t>(repeats) * width] =
        clocks.empty() ? 0.0 : sum(clocks) / static_cast<double>(clocks.size());
  } else if (spec_.launch == Launch::graph) {
    context_.release->skip(repeats);
  }
  context_.barrier->meet_asleep();
  Block block;
  if (context_.rank == 0) {
    block = block_from_times(*context_.region, step, repeats, layers);
    block.clock_hz = slowest_clock(step, static_cast<std::size_t>(repeats) * width);
  }
  context_.barrier->meet_asleep();
  return block;
}

// Of the ranks that ran the step; each left its own behind its rows, 0 where it has none.
std::optional<double> CudaRig::slowest_clock(const Step& step, std::size_t at) const {
  const int first = step.device.value_or(0);
  const int end = step.device ? first + 1 : context_.ranks;
  double slowest = std::numeric_limits<double>::infinity();
  for (int rank = first; rank < end; ++rank) {
    slowest = std::min(slowest, context_.region->times(rank)[at]);
  }
  if (slowest <= 0.0) return std::nullopt;
  return slowest;
}

}  // namespace splitbench::cuda
