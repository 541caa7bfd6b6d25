// What is said of a node whose checks failed, and the exit code: docs/faults.md.
#include "harness/cli/refusal.h"

#include <gtest/gtest.h>

namespace splitbench::cli {
namespace {

CheckResult result(const char* check, CheckStatus status, bool fault = false) {
  return {.check = check,
          .status = status,
          .seen = "0000:11:00.0: MIG is on: slices of one device are no devices",
          .wanted = "MIG off",
          .mend = "nvidia-smi -mig 0 as root, or use another device with --devices",
          .fault = fault};
}

TEST(Refusal, IsThatOfTheGravestFailure) {
  const CheckResult mig = result("mig", CheckStatus::fail);
  const CheckResult data = result("peer-data", CheckStatus::fail, true);
  EXPECT_EQ(refusal_of({result("iommu", CheckStatus::warn), result("x", CheckStatus::unknown)}),
            std::nullopt);
  EXPECT_EQ(refusal_of({mig}), kCannotRunHere);
  EXPECT_EQ(refusal_of({mig, data}), kFault);
}

TEST(Refusal, SaysEveryFailureAndItsMendInLinesOf80Columns) {
  const std::string text =
      refusal_text({result("iommu", CheckStatus::warn), result("mig", CheckStatus::fail),
                    result("compute-mode", CheckStatus::fail)});
  EXPECT_EQ(text,
            "splitbench: check mig: 0000:11:00.0: MIG is on: slices of one device are no\n"
            "  devices\n"
            "To mend it: nvidia-smi -mig 0 as root, or use another device with --devices\n"
            "splitbench: check compute-mode: 0000:11:00.0: MIG is on: slices of one device\n"
            "  are no devices\n"
            "To mend it: nvidia-smi -mig 0 as root, or use another device with --devices\n");
}

}  // namespace
}  // namespace splitbench::cli
