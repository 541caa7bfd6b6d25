#include "harness/cli/predict_sweep.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "model/invalid_input.h"
#include "model/quantity_text.h"

namespace splitbench::cli {
namespace {

constexpr long long kMostPoints = 1'000'000;

constexpr double (*kTime)(std::string_view) = [](std::string_view text) {
  return parse_seconds(text).value();
};
constexpr double (*kSize)(std::string_view) = [](std::string_view text) {
  return parse_bytes(text).value();
};
constexpr double (*kRate)(std::string_view) = [](std::string_view text) {
  return parse_bytes_per_second(text).value();
};
constexpr double (*kCount)(std::string_view) = [](std::string_view text) {
  return static_cast<double>(parse_count(text));
};

constexpr std::array kParameters{
    SweepParameter{"serial", "_s", false, kTime,
                   [](SplitParameters& p, double v) { p.serial = Seconds(v); }},
    SweepParameter{"compute", "_s", false, kTime,
                   [](SplitParameters& p, double v) { p.compute = Seconds(v); }},
    SweepParameter{"efficiency", "", false, parse_number,
                   [](SplitParameters& p, double v) { p.efficiency = v; }},
    SweepParameter{
        "collectives", "", true, kCount,
        [](SplitParameters& p, double v) { p.collectives = static_cast<std::int64_t>(v); }},
    SweepParameter{"latency", "_s", false, kTime,
                   [](SplitParameters& p, double v) { p.latency = Seconds(v); }},
    SweepParameter{"bytes", "_bytes", false, kSize,
                   [](SplitParameters& p, double v) { p.bytes = Bytes(v); }},
    SweepParameter{"bandwidth", "_bytes_per_s", false, kRate,
                   [](SplitParameters& p, double v) { p.bandwidth = BytesPerSecond(v); }},
    SweepParameter{"ranks", "", true, kCount,
                   [](SplitParameters& p, double v) { p.ranks = static_cast<int>(v); }},
};

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw InvalidInput("sweep", fmt::format("'{}': {}; expected NAME=FROM:TO:lin|log:COUNT, such as "
                                          "compute=0.5ms:64ms:log:50",
                                          text, why));
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

const SweepParameter& find_parameter(std::string_view text, std::string_view name) {
  std::string known;
  for (const SweepParameter& parameter : kParameters) {
    if (parameter.name == name) return parameter;
    known += (known.empty() ? "" : ", ") + std::string(parameter.name);
  }
  refuse(text, fmt::format("'{}' is no parameter ({})", name, known));
}

bool split_is_faster(SplitParameters parameters, const SweepParameter& parameter, double value) {
  parameter.set(parameters, value);
  return compare(one_device_time(parameters), split_time(parameters)) == Outcome::faster;
}

// The value between `slower` and `faster` (either may be the smaller) where the answer changes.
double crossing(const SplitParameters& base, const SweepParameter& parameter, double slower,
                double faster) {
  if (parameter.whole_number) return faster;
  for (int i = 0; i < 200; ++i) {
    const double middle = slower + (faster - slower) / 2;
    if (middle == slower || middle == faster) break;
    (split_is_faster(base, parameter, middle) ? faster : slower) = middle;
  }
  return faster;
}

}  // namespace

Sweep parse_sweep(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) refuse(text, "there is no '='");
  Sweep sweep;
  sweep.parameter = &find_parameter(text, text.substr(0, equals));
  const auto parts = split_at(text.substr(equals + 1), ':');
  if (parts.size() != 4) refuse(text, fmt::format("{} parts after '='", parts.size()));
  const double from = sweep.parameter->parse(parts[0]);
  const double to = sweep.parameter->parse(parts[1]);
  const bool logarithmic = parts[2] == "log";
  if (!logarithmic && parts[2] != "lin") refuse(text, "the scale is neither lin nor log");
  const long long count = parse_count(parts[3]);
  if (count < 2 || count > kMostPoints) {
    refuse(text, fmt::format("COUNT is {}, outside 2 to {}", count, kMostPoints));
  }
  if (!std::isfinite(from) || !std::isfinite(to) || !(from < to)) {
    refuse(text, "FROM and TO are not finite with FROM below TO");
  }
  if (logarithmic && from <= 0) refuse(text, "a log scale begins above 0");

  sweep.values.reserve(static_cast<std::size_t>(count));
  for (long long i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(count - 1);
    double value = logarithmic ? from * std::pow(to / from, share) : from + (to - from) * share;
    if (i == count - 1) value = to;
    if (sweep.parameter->whole_number) {
      value = std::round(value);
      if (!sweep.values.empty() && value == sweep.values.back()) continue;
    }
    sweep.values.push_back(value);
  }
  return sweep;
}

std::vector<FasterInterval> faster_intervals(const SplitParameters& base, const Sweep& sweep) {
  return splitbench::faster_intervals(
      sweep.values, [&](double value) { return split_is_faster(base, *sweep.parameter, value); },
      [&](double slower, double faster) {
        return crossing(base, *sweep.parameter, slower, faster);
      });
}

}  // namespace splitbench::cli
