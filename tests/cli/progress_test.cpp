// What is said of a run where nothing can be written over: its standard error is a pipe here.
#include "harness/cli/progress.h"

#include <gtest/gtest.h>

namespace splitbench::cli {
namespace {

std::string said(bool quiet) {
  testing::internal::CaptureStderr();
  Progress progress(quiet);
  progress.session_begins(0, 2);
  for (const char* doing : {"preparing the operation", "verifying results", "verifying results"}) {
    progress.preparing(doing);
  }
  progress.noted("this takes long");
  progress.session_begins(1, 2);
  progress.preparing("preparing the operation");
  return testing::internal::GetCapturedStderr();
}

TEST(Progress, SaysEachPhaseOfTheFirstSessionOnce) {
  EXPECT_EQ(said(false), "preparing the operation\nverifying results\nthis takes long\n");
}

TEST(Progress, QuietSaysNothing) {
  EXPECT_EQ(said(true), "");
}

}  // namespace
}  // namespace splitbench::cli
