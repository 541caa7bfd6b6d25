// Marks on a stand-in device, where every kernel takes 2 us of virtual time and events take none.
#include "harness/backends/cuda/stopwatch.h"

#include <gtest/gtest.h>

#include "kernels/null.h"
#include "tests/standin/test/scenario_run.h"

namespace splitbench::cuda {
namespace {

constexpr const char* kOneDevice = R"({"devices": 1, "launch_s": 2e-6})";

// Two kernels that do nothing, then one, each followed by a mark.
std::vector<double> intervals(TimeSource source, bool as_graph) {
  use_device(0);
  const Stream stream = make_stream();
  const Stopwatch watch(source, 3);
  const auto queue = [&] {
    watch.mark(0, stream.get());
    check(kernels::null(stream.get()), "null");
    check(kernels::null(stream.get()), "null");
    watch.mark(1, stream.get());
    check(kernels::null(stream.get()), "null");
    watch.mark(2, stream.get());
  };
  GraphExec graph;
  if (as_graph) {
    graph = capture(stream.get(), queue);
    launch(graph.get(), stream.get());
  } else {
    queue();
  }
  watch.fetch(3, stream.get());
  check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
  return watch.intervals(3);
}

void expect_intervals(TimeSource source, double first, double second) {
  standin::run_ranks(kOneDevice, 1, [&](int) {
    for (const bool as_graph : {false, true}) {
      const std::vector<double> seen = intervals(source, as_graph);
      ASSERT_EQ(seen.size(), 2U);
      EXPECT_NEAR(seen[0], first, 1e-9) << as_graph;
      EXPECT_NEAR(seen[1], second, 1e-9) << as_graph;
    }
  });
}

// A mark is a kernel itself: 2 + 1 and 1 + 1 kernels.
TEST(Stopwatch, KernelsThatReadTheTimerTakeALaunchEach) {
  expect_intervals(TimeSource::stamps, 6e-6, 4e-6);
}

TEST(Stopwatch, EventsTakeNothing) {
  expect_intervals(TimeSource::events, 4e-6, 2e-6);
}

TEST(Stopwatch, SourcesAreFoundByTheNamesThatResultsHave) {
  EXPECT_EQ(time_source("device-timer"), TimeSource::stamps);
  EXPECT_EQ(time_source("events"), TimeSource::events);
  EXPECT_ANY_THROW(time_source("sundial"));
}

}  // namespace
}  // namespace splitbench::cuda
