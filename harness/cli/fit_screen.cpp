#include "harness/cli/fit_screen.h"

#include <fmt/format.h>

#include <utility>

#include "harness/cli/normality_screen.h"
#include "harness/cli/screen_text.h"
#include "model/quantity_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

// Why the bandwidth of a line is not to be shown: there is none, or its interval has no end, which
// that of the fixed cost beside it has. Empty where it may be.
std::string no_bandwidth(const Json& line, const Json& fit, const std::string& path) {
  const bool is_endless = line.at("bandwidth_interval_bytes_per_s").is_null() &&
                          !line.at("latency_interval_s").is_null();
  for (const auto& [is_none, key] :
       {std::pair{line.at("bandwidth_bytes_per_s").is_null(), "bandwidth_bytes_per_s"},
        std::pair{is_endless, "bandwidth_interval_bytes_per_s"}}) {
    if (is_none) return fit.at("reasons").at(path + key).get<std::string>();
  }
  return {};
}

std::string rate_text(const Json& value) {
  return to_text(BytesPerSecond(value.get<double>()));
}

std::string time_text(const Json& value) {
  return to_text(Seconds(value.get<double>()));
}

std::string size_text(const Json& value) {
  return to_text(Bytes(value.get<double>()));
}

std::string head(const Json& source) {
  std::string what = fmt::format("over {} ranks", source.at("ranks").get<int>());
  for (const char* key : {"dtype", "library"}) {
    if (source.contains(key)) what += ", " + source[key].get<std::string>();
  }
  return wrapped("All-reduce ",
                 fmt::format("{}: {} times, {}", what, source.at("rows").get<int>(),
                             source.at("format").get<std::string>()),
                 2);
}

std::string segment_lines(const Json& fit) {
  std::string text = fmt::format("\n  {:<24}{:>12}{:>14}{:>16}\n", "message bytes", "fixed cost",
                                 "bandwidth", "largest error");
  const Json& segments = fit.at("segments");
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const Json& segment = segments[i];
    const std::string none = no_bandwidth(segment, fit, fmt::format("segments.{}.", i));
    text += fmt::format("  {:<24}{:>12}{:>14}{:>14.1f} %\n",
                        fmt::format("{} to {}", size_text(segment.at("from_bytes")),
                                    size_text(segment.at("to_bytes"))),
                        time_text(segment.at("latency_s")),
                        none.empty() ? rate_text(segment.at("bandwidth_bytes_per_s")) : "-",
                        100.0 * segment.at("max_relative_error").get<double>());
    if (!none.empty()) text += wrapped("    no bandwidth: ", none, 6);
  }
  return text;
}

std::string at_text(const Json& fit) {
  const Json& at = fit.at("at");
  const std::string where = fmt::format("\nAt {}: ", size_text(at.at("bytes")));
  if (at.at("time_s").is_null()) {
    return wrapped(where, fit.at("reasons").at("at.time_s").get<std::string>(), 2);
  }
  const Json& range = at.at("valid_for_bytes");
  const std::string none = no_bandwidth(at, fit, "at.");
  std::string text = fmt::format(
      "{}, from the line of {} to {}: fixed cost {}, bandwidth {}, largest error {:.1f} %",
      time_text(at["time_s"]), size_text(range[0]), size_text(range[1]),
      time_text(at.at("latency_s")),
      none.empty() ? rate_text(at.at("bandwidth_bytes_per_s")) : "not known (" + none + ")",
      100.0 * at.at("max_relative_error").get<double>());
  return wrapped(where, text, 2);
}

std::string normal_text(const Json& fit) {
  std::string text = normality_text(fit.at("normal"));
  if (!text.empty()) return text;
  return wrapped("  normal?     ",
                 "not known: " + fit.at("reasons").at("normal").get<std::string>(), 14);
}

}  // namespace

std::string fit_screen(const Json& fit) {
  std::string text = head(fit.at("source"));
  text += segment_lines(fit);
  if (!fit.at("at").is_null()) text += at_text(fit);
  text += '\n' + normal_text(fit);
  const Json& warnings = fit.at("warnings");
  if (!warnings.empty()) text += '\n';
  for (const Json& warning : warnings) {
    text += wrapped("note: ", warning.get<std::string>(), 2);
  }
  return text;
}

}  // namespace splitbench::cli
