#include "harness/backends/simulated/noise.h"

#include <cmath>
#include <numbers>

namespace splitbench::simulated {
namespace {

std::uint64_t mixed(std::initializer_list<std::uint64_t> key) {
  std::uint64_t hash = 0;
  for (const std::uint64_t part : key) hash = mix64(hash + 0x9e3779b97f4a7c15ULL + part);
  return hash;
}

}  // namespace

Draws::Draws(std::initializer_list<std::uint64_t> key) : random_(mixed(key)) {}

double Draws::normal() {
  if (spare_) {
    const double value = *spare_;
    spare_.reset();
    return value;
  }
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

double standardised(Distribution distribution, Draws& draws) {
  switch (distribution) {
    case Distribution::normal:
      break;
    case Distribution::t3: {
      // Z / sqrt(chi^2_3 / 3) has variance 3.
      const double z = draws.normal();
      double squares = 0.0;
      for (int i = 0; i < 3; ++i) {
        const double one = draws.normal();
        squares += one * one;
      }
      return z / std::sqrt(squares);
    }
    case Distribution::exponential:
      return -std::log(1.0 - draws.uniform()) - 1.0;
    case Distribution::lognormal: {
      // exp(Z) has mean e^(1/2) and variance (e - 1) e.
      constexpr double e = std::numbers::e;
      return (std::exp(draws.normal()) - std::sqrt(e)) / std::sqrt((e - 1.0) * e);
    }
    case Distribution::bimodal:
      return draws.uniform() < 0.2 ? 2.0 : -0.5;
  }
  return draws.normal();
}

SessionNoise::SessionNoise(const Noise& noise, int ranks, std::uint64_t seed, int session)
    : noise_(noise),
      seed_(seed),
      session_(static_cast<std::uint64_t>(session)),
      layer_sd_(std::sqrt(std::log1p(noise.layer_cv * noise.layer_cv))),
      machine_(effect(noise.session.machine, Of::machine, 0)),
      work_(),
      state_(Draws{seed, session_, static_cast<std::uint64_t>(Of::state)}.normal()),
      typical_(),
      draws_({}) {
  for (std::size_t work = 0; work < work_.size(); ++work) {
    work_[work] = effect(noise.session.work, Of::work, work);
  }
  if (noise.session.rank == 0.0) return;
  for (std::uint64_t rank = 0; rank < static_cast<std::uint64_t>(ranks); ++rank) {
    rank_factor_.push_back(std::exp(effect(noise.session.rank, Of::rank, rank)));
  }
}

double SessionNoise::effect(double sd, Of of, std::uint64_t which, std::uint64_t size) const {
  if (sd == 0.0) return 0.0;
  Draws draws{seed_, session_, static_cast<std::uint64_t>(of), which, size};
  return sd * standardised(noise_.session.distribution, draws);
}

void SessionNoise::begin_step(const Step& step) {
  const double bytes = step.message ? step.message->value() : 0.0;
  // Points are told apart, the devices of one-rank steps are not.
  const auto arm = 2 * static_cast<std::uint64_t>(step.arm) + (step.device ? 1 : 0);
  arm_ = effect(noise_.session.arm, Of::arm, (arm << 32) + step.point,
                static_cast<std::uint64_t>(bytes));
}

void SessionNoise::begin_sample(double now) {
  draws_ = Draws{seed_, session_, static_cast<std::uint64_t>(Of::sample), sample_++};
  double common = machine_ + arm_ + noise_.drift_per_s * now;
  if (noise_.settling.size > 0.0) {
    common += noise_.settling.size * std::exp(-now / noise_.settling.time_s);
  }
  if (noise_.state.sd > 0.0) {
    common += noise_.state.sd * state_;
    const double kept = noise_.state.autocorrelation;
    state_ = kept * state_ + std::sqrt(1.0 - kept * kept) * draws_.normal();
  }
  for (std::size_t work = 0; work < work_.size(); ++work) {
    typical_[work] = std::exp(common + work_[work]);
  }
}

double SessionNoise::of_piece() {
  double factor = 1.0;
  if (layer_sd_ > 0.0) factor = std::exp(layer_sd_ * draws_.normal());
  const Tail& tail = noise_.tail;
  if (tail.probability > 0.0 && draws_.uniform() < tail.probability) {
    factor *= 1.0 + tail.factor * std::pow(1.0 - draws_.uniform(), -1.0 / tail.shape);
  }
  return factor;
}

double SessionNoise::factor(Work work, int rank) {
  double factor = typical_[static_cast<std::size_t>(work)] * of_piece();
  if (!rank_factor_.empty()) factor *= rank_factor_[static_cast<std::size_t>(rank)];
  return factor;
}

double SessionNoise::collective_factor() {
  return typical_[static_cast<std::size_t>(Work::collective)] * of_piece();
}

double SessionNoise::start_delay() {
  if (noise_.start_s == 0.0) return 0.0;
  return -noise_.start_s * std::log(1.0 - draws_.uniform());
}

}  // namespace splitbench::simulated
