#include "harness/cli/screen_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <span>

#include "results/import/text_source.h"

namespace splitbench::cli {
namespace {

struct Step {
  double size;
  std::string_view name;
};
constexpr std::array kSeconds{Step{1e-9, " ns"}, Step{1e-6, " us"}, Step{1e-3, " ms"},
                              Step{1.0, " s"}};
constexpr std::array kBytes{Step{1.0, " B"}, Step{1e3, " kB"}, Step{1e6, " MB"}, Step{1e9, " GB"}};
constexpr std::array kRates{Step{1.0, " B/s"}, Step{1e3, " kB/s"}, Step{1e6, " MB/s"},
                            Step{1e9, " GB/s"}, Step{1e12, " TB/s"}};
constexpr std::array kRatio{Step{1.0, ""}};
constexpr std::array kFactor{Step{1.0, "x"}};

std::span<const Step> steps(Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return kSeconds;
    case Unit::bytes:
      return kBytes;
    case Unit::bytes_per_second:
      return kRates;
    case Unit::ratio:
      return kRatio;
    case Unit::factor:
      return kFactor;
  }
  return kRatio;
}

// The largest step that keeps the number at 1 or more, as it is shown.
Step step_for(double value, std::span<const Step> steps) {
  Step chosen = steps.front();
  for (const Step& step : steps) {
    if (std::abs(value) >= 0.9995 * step.size) chosen = step;
  }
  return chosen;
}

// Places after the point for three significant digits.
int places(double value) {
  if (value == 0.0) return 0;
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value) * 1.0005)));
  return std::clamp(2 - magnitude, 0, 4);
}

// "+0.3", and "0.0" without a sign.
std::string signed_percents(double share, int digits) {
  const std::string text = fmt::format("{:+.{}f}", 100.0 * share, digits);
  return text.find_first_of("123456789") == text.npos && std::isfinite(share) ? text.substr(1)
                                                                              : text;
}

}  // namespace

std::string shown_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line = printable(text.substr(0, end));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != line.npos && line.compare(first, 2, "::") == 0) line.insert(first + 1, 1, ' ');
    shown += line;
    if (end < text.size()) shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

std::string wrapped(std::string_view head, std::string_view given, std::size_t indent) {
  const std::string shown = printable(given);
  std::string_view text = shown;
  std::string all;
  std::string line(head);
  bool empty = true;  // of words
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!empty && line.size() + 1 + word.size() > kColumns) {
      all += line + "\n";
      line.assign(indent, ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word.substr(0, kColumns - std::min(kColumns, line.size()));
    empty = false;
  }
  return all + line + "\n";
}

std::string number_text(double value, std::optional<Interval> interval, Unit unit) {
  const Step step = step_for(value, steps(unit));
  const double scaled = value / step.size;
  int digits = places(scaled);
  if (!interval) return fmt::format("{:.{}f}{}", scaled, digits, step.name);
  const double width = (interval->high - interval->low) / step.size;
  const double last_place = std::pow(10.0, -digits);
  if (width < last_place && width >= 0.05 * last_place) ++digits;
  return fmt::format("{:.{}f}{} [{:.{}f}, {:.{}f}]", scaled, digits, step.name,
                     interval->low / step.size, digits, interval->high / step.size, digits);
}

std::string percent_text(double share, std::optional<Interval> interval) {
  if (!interval) return signed_percents(share, 1) + " %";
  const double widest = std::max(std::abs(interval->low), std::abs(interval->high));
  const int digits = widest < 1.0 ? 1 : 0;
  return fmt::format("{} % [{}, {}]", signed_percents(share, digits),
                     signed_percents(interval->low, digits),
                     signed_percents(interval->high, digits));
}

std::string signed_seconds(double seconds) {
  return fmt::format("{}{}", seconds < 0.0 ? "" : "+",
                     number_text(seconds, std::nullopt, Unit::seconds));
}

std::string counted(long long count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

}  // namespace splitbench::cli
