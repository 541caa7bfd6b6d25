#include "harness/cli/normality_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/cli/screen_text.h"
#include "model/quantity_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string sentence(const Json& each) {
  const Json& usual = each.at("usual");
  std::string text =
      fmt::format("{}: {}, {:.0f} % of the {} of its link; usual are {:.0f} to {:.0f} %",
                  each.at("what").get<std::string>(),
                  to_text(BytesPerSecond(each.at("bytes_per_s").get<double>())),
                  100.0 * each.at("share").get<double>(),
                  to_text(BytesPerSecond(each.at("ceiling_bytes_per_s").get<double>())),
                  100.0 * usual.at("low").get<double>(), 100.0 * usual.at("high").get<double>());
  if (!each.at("causes").is_null()) {
    const bool low = each.at("share") < usual.at("low");
    text += (low ? ". LOW. Usual causes: " : ". HIGH: ") + each["causes"].get<std::string>();
  }
  return text;
}

bool is_copy(const Json& each) {
  return each.at("what").get<std::string>().starts_with("copy");
}

}  // namespace

std::string normality_text(const Json& list) {
  std::vector<const Json*> normal_copies;
  std::string text;
  for (const Json& each : list) {
    if (is_copy(each) && each.at("causes").is_null()) {
      normal_copies.push_back(&each);
    } else {
      text += wrapped("  normal?     ", sentence(each), 14);
    }
  }
  if (normal_copies.empty()) return text;
  const Json& lowest = **std::min_element(
      normal_copies.begin(), normal_copies.end(),
      [](const Json* a, const Json* b) { return a->at("share") < b->at("share"); });
  const std::string more =
      normal_copies.size() == 1
          ? ""
          : fmt::format("; it is the lowest of {} pairs that are as usual", normal_copies.size());
  return wrapped("  normal?     ", sentence(lowest) + more, 14) + text;
}

}  // namespace splitbench::cli
