#include "harness/cli/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "harness/cli/screen_text.h"

namespace splitbench::cli {

std::vector<CheckResult> failures(const std::vector<CheckResult>& results) {
  std::vector<CheckResult> failed;
  std::copy_if(results.begin(), results.end(), std::back_inserter(failed),
               [](const CheckResult& result) { return result.status == CheckStatus::fail; });
  return failed;
}

std::optional<ExitCode> refusal_of(const std::vector<CheckResult>& results) {
  const std::vector<CheckResult> failed = failures(results);
  if (failed.empty()) return std::nullopt;
  const bool any_fault = std::any_of(failed.begin(), failed.end(),
                                     [](const CheckResult& result) { return result.fault; });
  return any_fault ? kFault : kCannotRunHere;
}

std::string refusal_text(const std::vector<CheckResult>& results) {
  std::string text;
  for (const CheckResult& failed : failures(results)) {
    text += wrapped(fmt::format("splitbench: check {}: ", failed.check), failed.seen, 2);
    text += wrapped("To mend it: ", failed.mend, 2);
  }
  return text;
}

}  // namespace splitbench::cli
