#include "model/prediction.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "model/random.h"
#include "model/sessions.h"

namespace splitbench {
namespace {

using Arm = ParameterArm;

// The repeats of one arm in one session, every number less its part of the arm's fixed cost.
class Repeats {
 public:
  explicit Repeats(std::size_t width) : width_(width) {}

  void add(double value) { values_.push_back(value); }
  std::span<const double> draw(Random& random) const {
    const std::size_t repeat = random.below(values_.size() / width_);
    return {values_.data() + repeat * width_, width_};
  }

 private:
  std::size_t width_;
  std::vector<double> values_;
};

Repeats layered_repeats(const std::vector<Block>& blocks, const ParameterSamples& samples,
                        double empty) {
  Repeats repeats(static_cast<std::size_t>(samples.layers) *
                  static_cast<std::size_t>(samples.ranks));
  for (const Block& block : blocks) {
    for (double seconds : block.layer_seconds) repeats.add(seconds - empty);
  }
  return repeats;
}

Repeats collective_repeats(const std::vector<Block>& blocks, double empty) {
  Repeats repeats(1);
  for (const Block& block : blocks) {
    for (std::size_t r = 0; r < block.repeats(); ++r) repeats.add(longest_rank(block, r) - empty);
  }
  return repeats;
}

// sum_q max_r (s_qr + c_qr).
double slowest_ranks(std::span<const double> serial, std::span<const double> shard, int ranks) {
  const auto count = static_cast<std::size_t>(ranks);
  double sum = 0.0;
  for (std::size_t first = 0; first < serial.size(); first += count) {
    double slowest = serial[first] + shard[first];
    for (std::size_t i = first + 1; i < first + count; ++i) {
      slowest = std::max(slowest, serial[i] + shard[i]);
    }
    sum += slowest;
  }
  return sum;
}

// Medians over the draws, with the collectives and without.
struct Resampled {
  double whole;
  double without_collective;
};

Resampled resample(const ParameterSession& session, const ParameterSamples& samples, double empty,
                   std::size_t draws, std::uint64_t seed) {
  const Repeats serial = layered_repeats(session.arms[Arm::serial_all_ranks], samples, empty);
  const Repeats shard = layered_repeats(session.arms[Arm::shard], samples, empty);
  const Repeats collective = collective_repeats(session.arms[Arm::collective], empty);
  Random random(mix64(seed) + static_cast<std::uint64_t>(session.session));
  std::vector<double> whole(draws);
  std::vector<double> without(draws);
  for (std::size_t i = 0; i < draws; ++i) {
    const auto s = serial.draw(random);
    const auto c = shard.draw(random);
    without[i] = empty + slowest_ranks(s, c, samples.ranks);
    whole[i] = without[i];
    for (int layer = 0; layer < samples.layers; ++layer) whole[i] += collective.draw(random)[0];
  }
  return {median(std::move(whole)), median(std::move(without))};
}

void predict_from_line(SessionPrediction& prediction, const Answer<CollectiveLine>& line,
                       const ParameterSamples& samples) {
  const Answer<Seconds> at_v = line ? line->at(samples.wire) : Answer<Seconds>::none(line.reason());
  if (!at_v) {
    prediction.line_communication = prediction.from_fit = Answer<double>::none(at_v.reason());
    return;
  }
  const double communication = samples.layers * at_v->value();
  prediction.line_communication = communication;
  prediction.from_fit = prediction.empty + prediction.serial + prediction.serial_extra +
                        prediction.shard + communication;
}

std::optional<SessionPrediction> predict_session(const ParameterSession& session,
                                                 const SessionEstimate& estimate,
                                                 const ParameterSamples& samples, std::size_t draws,
                                                 std::uint64_t seed) {
  const std::optional<double> extra = estimate.serial_extra();
  if (!estimate.empty_all_ranks || !extra || !estimate.shard || !estimate.collective) {
    return std::nullopt;
  }
  const Resampled resampled = resample(session, samples, *estimate.empty_all_ranks, draws, seed);
  if (!(resampled.whole > 0.0)) return std::nullopt;  // every arm is below the clock's own cost
  SessionPrediction prediction;
  prediction.session = session.session;
  prediction.empty = *estimate.empty_all_ranks;
  prediction.serial = *estimate.serial;
  prediction.serial_extra = *extra;
  prediction.shard = *estimate.shard;
  prediction.communication = samples.layers * *estimate.collective;
  prediction.point = resampled.whole;
  prediction.without_collective = resampled.without_collective;
  prediction.clock_hz = estimate.clock_hz;
  predict_from_line(prediction, estimate.line, samples);
  if (estimate.compute) {
    prediction.one_device = *estimate.empty + *estimate.serial + *estimate.compute;
  }
  return prediction;
}

// Why there is no prediction: the arms it takes that no session has, or that none has all of them.
std::string reason_for_none(const ParameterSamples& samples) {
  std::string missing;
  for (Arm arm : {Arm::empty, Arm::empty_all_ranks, Arm::serial, Arm::serial_all_ranks, Arm::shard,
                  Arm::collective}) {
    const auto& all = samples.sessions;
    if (std::all_of(all.begin(), all.end(), [arm](const auto& s) { return s.arms[arm].empty(); })) {
      missing += (missing.empty() ? "" : ", ") + std::string(name(arm));
    }
  }
  return missing.empty()
             ? "no session has every arm that a prediction takes, above the cost of its "
               "stamps"
             : "not measured: " + missing;
}

double overlap_bound(const SessionPrediction& s) {
  return s.empty + s.serial + s.serial_extra + std::max(s.shard, s.communication);
}

std::vector<Term> budget(const std::vector<SessionPrediction>& sessions, const Estimate& point,
                         double confidence) {
  using S = SessionPrediction;
  const std::vector<double> totals = present(sessions, &S::point);
  const auto term = [&](std::string_view name, auto value) {
    return weighted_term(name, present(sessions, value), totals, point.value, confidence);
  };
  return {term("empty", &S::empty),
          term("serial", &S::serial),
          term("serial_extra", &S::serial_extra),
          term("compute", &S::shard),
          term("communication", &S::communication),
          term("composition_of_medians", [](const S& s) {
            return s.point - s.empty - s.serial - s.serial_extra - s.shard - s.communication;
          })};
}

}  // namespace

std::optional<double> predicted_tn(const SessionPrediction& session, PredictionKind kind) {
  if (kind == PredictionKind::point) return session.point;
  if (session.from_fit) return *session.from_fit;
  return std::nullopt;
}

Prediction over_sessions(std::vector<SessionPrediction> sessions, const std::string& reason,
                         double confidence) {
  using S = SessionPrediction;
  Prediction prediction;
  prediction.sessions = std::move(sessions);
  if (prediction.sessions.empty()) {
    for (const auto answer : {&Prediction::point, &Prediction::from_fit, &Prediction::one_device,
                              &Prediction::speedup, &Prediction::overlap_bound}) {
      prediction.*answer = Answer<Estimate>::none(reason);
    }
    return prediction;
  }
  const auto typical = [&](auto value, std::string_view what) {
    return log_mean(present(prediction.sessions, value), confidence, what);
  };
  prediction.point = typical(&S::point, "T_N");
  prediction.from_fit = typical(
      [](const S& s) { return predicted_tn(s, PredictionKind::from_fit); }, "T_N from the line");
  if (!prediction.from_fit) {
    prediction.from_fit = Answer<Estimate>::none(prediction.sessions.front().from_fit.reason());
  }
  prediction.one_device = typical(&S::one_device, "T1");
  prediction.speedup = typical(
      [](const S& s) -> std::optional<double> {
        if (!s.one_device) return std::nullopt;
        return *s.one_device / s.point;
      },
      "speedup");
  prediction.overlap_bound = typical(overlap_bound, "overlap bound");
  prediction.budget = budget(prediction.sessions, *prediction.point, confidence);
  return prediction;
}

Prediction predict(const ParameterSamples& samples, const Parameters& parameters, double confidence,
                   std::size_t draws, std::uint64_t seed) {
  check(samples);
  std::vector<SessionPrediction> sessions;
  for (std::size_t s = 0; s < samples.sessions.size(); ++s) {
    if (auto one =
            predict_session(samples.sessions[s], parameters.sessions[s], samples, draws, seed)) {
      sessions.push_back(*one);
    }
  }
  return over_sessions(std::move(sessions), reason_for_none(samples), confidence);
}

}  // namespace splitbench
