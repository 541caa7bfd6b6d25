#include "harness/cli/check_screen.h"

#include <fmt/format.h>

#include "harness/cli/screen_text.h"

namespace splitbench::cli {

std::string check_screen(std::span<const CheckResult> results) {
  constexpr std::size_t kIndent = 28;
  std::string text;
  for (const CheckResult& result : results) {
    text += wrapped(fmt::format("{:<8}{:<19} ", name(result.status), result.check), result.seen,
                    kIndent);
    if (result.status == CheckStatus::pass) continue;
    text += wrapped(fmt::format("{:>27} ", "wanted"), result.wanted, kIndent);
    if (!result.mend.empty()) {
      text += wrapped(fmt::format("{:>27} ", "to mend it"), result.mend, kIndent);
    }
  }
  return text;
}

}  // namespace splitbench::cli
