// Signs of life where nothing can be written over: standard error is a pipe here.
#include "harness/cli/looking.h"

#include <gtest/gtest.h>

namespace splitbench::cli {
namespace {

std::string said(bool quiet, Seconds between) {
  testing::internal::CaptureStderr();
  {
    Looking looking(quiet, between);
    looking.at("CUDA runtime: counting devices");
    looking.at("NCCL: joining");
  }
  return testing::internal::GetCapturedStderr();
}

TEST(Looking, SaysAtOnceThatItLooks) {
  EXPECT_EQ(said(false, Seconds(1000)), "looking at the devices\n");
}

TEST(Looking, SaysNowAndThenWhatIsAsked) {
  EXPECT_EQ(said(false, Seconds(0)),
            "looking at the devices\n"
            "  0 s  CUDA runtime: counting devices\n"
            "  0 s  NCCL: joining\n");
}

TEST(Looking, QuietSaysNothing) {
  EXPECT_EQ(said(true, Seconds(0)), "");
}

}  // namespace
}  // namespace splitbench::cli
