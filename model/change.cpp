#include "model/change.h"

#include <cmath>

#include "model/distributions.h"
#include "model/invalid_input.h"

namespace splitbench {
namespace {

using None = Answer<Estimate>;

double on_its_scale(const Estimate& estimate) {
  return estimate.scale == Scale::logarithmic ? std::log(estimate.value) : estimate.value;
}

// Of the mean over sessions.
double variance(const Estimate& estimate) {
  return estimate.session_sd * estimate.session_sd / static_cast<double>(estimate.sessions);
}

double satterthwaite(const Estimate& a, const Estimate& b) {
  const double sum = variance(a) + variance(b);
  const auto part = [](const Estimate& side) {
    return variance(side) * variance(side) / static_cast<double>(side.sessions - 1);
  };
  return sum > 0.0 ? sum * sum / (part(a) + part(b))
                   : static_cast<double>(a.sessions + b.sessions - 2);
}

// Why a side cannot be compared; empty where it can.
std::string obstacle(const Answer<Estimate>& side, const char* which) {
  const std::string of_side = std::string("of ") + which + ": ";
  if (!side) return of_side + side.reason();
  if (side->sessions < 2) return of_side + "one session says nothing of its spread";
  if (side->scale == Scale::logarithmic && !(side->value > 0.0)) {
    return of_side + "a value that is not above 0 has no ratio";
  }
  return "";
}

}  // namespace

std::string_view name(ChangeOutcome outcome) {
  switch (outcome) {
    case ChangeOutcome::better:
      return "better";
    case ChangeOutcome::worse:
      return "worse";
    case ChangeOutcome::same:
      return "same";
    case ChangeOutcome::cannot_say:
      return "cannot-say";
  }
  return "unknown";
}

Answer<Estimate> difference(const Answer<Estimate>& a, const Answer<Estimate>& b,
                            double confidence) {
  for (const std::string& why : {obstacle(a, "A"), obstacle(b, "B")}) {
    if (!why.empty()) return None::none(why);
  }
  if (a->scale != b->scale) throw InvalidInput("scale", "expected two values of one scale");
  const double error = std::sqrt(variance(*a) + variance(*b));
  const int degrees = std::max(1, static_cast<int>(satterthwaite(*a, *b)));
  const double reach = student_quantile(0.5 + confidence / 2.0, degrees) * error;
  const double center = on_its_scale(*b) - on_its_scale(*a);
  return Estimate{.value = center,
                  .scale = Scale::linear,
                  .sessions = a->sessions + b->sessions,
                  .session_sd = error,
                  .interval = Interval{center - reach, center + reach}};
}

Change judge_change(const Answer<Estimate>& difference, Better better, double least_effect) {
  if (!difference) return {ChangeOutcome::cannot_say, difference.reason()};
  const Interval seen = *difference->interval;
  if (seen.inside({-least_effect, least_effect})) {
    return {ChangeOutcome::same, "the interval lies within the least effect"};
  }
  const bool rises = seen.low > least_effect;
  if (rises || seen.high < -least_effect) {
    const bool improves = rises == (better == Better::higher);
    return {improves ? ChangeOutcome::better : ChangeOutcome::worse,
            "the whole interval lies beyond the least effect"};
  }
  return {ChangeOutcome::cannot_say,
          "the interval reaches both within and beyond the least effect"};
}

}  // namespace splitbench
