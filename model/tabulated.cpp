#include "model/tabulated.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace splitbench {
namespace {

constexpr const char* kEntries = "every part is an entry of its table, which has one number for it";

std::string digits(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.4g", value);
  return buffer.data();
}

std::string range(Interval ends, double unit) {
  std::string text = digits(ends.low / unit);
  text.append(" to ").append(digits(ends.high / unit));
  return text;
}

constexpr double kPercent = 0.01;

// An entry is where the table says it is.
Answer<Interval> bounds(const TableTime& time) {
  if (time.interpolated) return time.interval;
  return Interval{time.time.value(), time.time.value()};
}

TableTime sum(const TableTime& a, const TableTime& b) {
  TableTime total{.time = a.time + b.time, .interpolated = a.interpolated || b.interpolated};
  if (!total.interpolated) {
    total.interval = Answer<Interval>::none(kEntries);
    return total;
  }
  const Answer<Interval> of_a = bounds(a);
  const Answer<Interval> of_b = bounds(b);
  if (!of_a || !of_b) {
    total.interval = of_a ? of_b : of_a;
    return total;
  }
  const double value = total.time.value();
  const double below = std::hypot(a.time.value() - of_a->low, b.time.value() - of_b->low);
  const double above = std::hypot(of_a->high - a.time.value(), of_b->high - b.time.value());
  total.interval = Interval{value - below, value + above};
  return total;
}

TableTime entry(Seconds time) {
  return {.time = time, .interpolated = false, .interval = Answer<Interval>::none(kEntries)};
}

TableTime scaled(TableTime time, double factor) {
  time.time = factor * time.time;
  if (time.interval) {
    time.interval = Interval{factor * time.interval->low, factor * time.interval->high};
  }
  return time;
}

// Of ln(a / b).
Answer<Interval> log_ratio(const TableTime& a, const TableTime& b) {
  if (!a.interpolated && !b.interpolated) return Answer<Interval>::none(kEntries);
  Answer<Interval> of_a = bounds(a);
  Answer<Interval> of_b = bounds(b);
  if (!of_a) return of_a;
  if (!of_b) return of_b;
  const double ratio = std::log(a.time / b.time);
  const double below =
      std::hypot(std::log(a.time.value() / of_a->low), std::log(of_b->high / b.time.value()));
  const double above =
      std::hypot(std::log(of_a->high / a.time.value()), std::log(b.time.value() / of_b->low));
  return Interval{ratio - below, ratio + above};
}

SplitVerdict judge(double ratio, const Answer<Interval>& interval, double least) {
  const Interval seen = interval ? *interval : Interval{ratio, ratio};
  const std::string text =
      "T1/T_N by the tables is " + digits(std::exp(ratio)) +
      (interval ? ", " + range({std::exp(seen.low), std::exp(seen.high)}, 1.0) +
                      " with the error of reading between entries"
                : " (no interval: " + interval.reason() + ")");
  const std::string effect = "the least effect that counts, " + digits(least / kPercent) + " %";
  if (seen.low > least) return {SplitOutcome::faster, text + ": above " + effect};
  if (seen.high < -least) return {SplitOutcome::slower, text + ": below " + effect};
  if (seen.inside({-least, least})) return {SplitOutcome::tie, text + ": within " + effect};
  return {SplitOutcome::inconclusive, text + ": on both sides of " + effect};
}

// What was read between entries but has no interval decides nothing.
SplitVerdict judge(const TableTime& t1, const TableTime& tn, const Answer<Interval>& interval,
                   double least) {
  if (!interval && (t1.interpolated || tn.interpolated)) {
    return {SplitOutcome::inconclusive, interval.reason()};
  }
  return judge(std::log(t1.time / tn.time), interval, least);
}

}  // namespace

TabulatedSplit tabulated_split(const TabulatedLayer& layer, std::int64_t layers,
                               double least_effect) {
  const auto count = static_cast<double>(layers);
  TabulatedSplit split;
  split.one_device = scaled(sum(layer.serial, layer.full), count);
  split.split = scaled(sum(layer.serial, sum(layer.shard, layer.collective)), count);
  split.speedup = split.one_device.time / split.split.time;
  const Answer<Interval> ratio = log_ratio(split.one_device, split.split);
  split.speedup_interval =
      ratio ? Answer<Interval>(Interval{std::exp(ratio->low), std::exp(ratio->high)}) : ratio;
  split.verdict = judge(split.one_device, split.split, ratio, least_effect);
  return split;
}

TabulatedComparison compare(const TableTime& predicted, Seconds tn,
                            const AcceptanceCriteria& criteria) {
  TabulatedComparison comparison;
  comparison.relative_error = tn / predicted.time - 1.0;
  ModelVerdict& verdict = comparison.verdict;
  verdict.tolerance = std::max(criteria.model_tolerance, criteria.model_floor / tn);
  verdict.sessions_needed = Answer<int>::none("a table has no sessions");
  const Answer<Interval> ratio = log_ratio(entry(tn), predicted);
  if (!ratio) {
    comparison.interval = ratio;
    verdict.reason = ratio.reason();
    return comparison;
  }
  comparison.interval = Interval{std::expm1(ratio->low), std::expm1(ratio->high)};
  const double tolerance = verdict.tolerance;
  const std::string seen = "T_N put together from the entries left out is off by " +
                           digits(comparison.relative_error / kPercent) + " %, " +
                           range(*comparison.interval, kPercent) + ": ";
  const std::string limits = "+-" + digits(tolerance / kPercent) + " %";
  if (ratio->inside({-tolerance, tolerance})) {
    verdict.outcome = ModelOutcome::holds;
    verdict.reason = seen + "within " + limits;
  } else if (ratio->low > tolerance || ratio->high < -tolerance) {
    verdict.outcome = ModelOutcome::fails;
    verdict.reason = seen + "wholly outside of " + limits;
  } else {
    verdict.reason = seen + "on both sides of " + limits;
  }
  return comparison;
}

}  // namespace splitbench
