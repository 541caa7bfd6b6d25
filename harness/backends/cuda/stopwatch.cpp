#include "harness/backends/cuda/stopwatch.h"

#include <array>
#include <string>

#include "harness/error.h"
#include "protocols/named.h"

namespace splitbench::cuda {
namespace {

constexpr std::array<Named<TimeSource>, 2> kSources{{
    {TimeSource::stamps, "device-timer", "kernels that read the device's timer"},
    {TimeSource::events, "events", "CUDA events"},
}};

}  // namespace

std::string_view name(TimeSource source) {
  return name_in<TimeSource>(kSources, source);
}

TimeSource time_source(std::string_view name) {
  if (const auto found = find_in<TimeSource>(kSources, name)) return *found;
  throw HarnessError("unknown time source '" + std::string(name) + "'");
}

std::optional<double> timer_step(cudaStream_t stream) {
  const Pinned<std::uint64_t> step;
  check(kernels::measure_timer_step(step.device(), stream), "kernels::measure_timer_step");
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  if (*step.host() == 0) return std::nullopt;
  return static_cast<double>(*step.host()) * 1e-9;
}

Stopwatch::Stopwatch(TimeSource source, std::size_t most_marks)
    : source_(source), fetched_(most_marks) {
  if (source == TimeSource::stamps) {
    stamps_ = DeviceMemory(most_marks * sizeof(kernels::Stamp));
  } else {
    for (std::size_t i = 0; i < most_marks; ++i) events_.push_back(make_event());
  }
}

void Stopwatch::mark(std::size_t index, cudaStream_t stream) const {
  if (source_ == TimeSource::stamps) {
    check(kernels::stamp(stamps_.as<kernels::Stamp>() + index, stream), "kernels::stamp");
  } else {
    record(events_[index].get(), stream);
  }
}

void Stopwatch::fetch(std::size_t marks, cudaStream_t stream) const {
  if (source_ == TimeSource::events) return;
  copy(fetched_.host(), stamps_.data(), marks * sizeof(kernels::Stamp), stream);
}

std::vector<double> Stopwatch::intervals(std::size_t marks) const {
  std::vector<double> seconds;
  for (std::size_t i = 1; i < marks; ++i) {
    if (source_ == TimeSource::events) {
      seconds.push_back(seconds_between(events_[i - 1].get(), events_[i].get()));
      continue;
    }
    const kernels::Stamp* const stamps = fetched_.host();
    seconds.push_back(static_cast<double>(stamps[i].nanoseconds - stamps[i - 1].nanoseconds) *
                      1e-9);
  }
  return seconds;
}

std::optional<double> Stopwatch::clock_hz(std::size_t marks) const {
  if (source_ == TimeSource::events) return std::nullopt;
  const kernels::Stamp& first = fetched_.host()[0];
  const kernels::Stamp& last = fetched_.host()[marks - 1];
  if (first.multiprocessor != last.multiprocessor || last.nanoseconds <= first.nanoseconds ||
      last.cycles <= first.cycles) {
    return std::nullopt;
  }
  return static_cast<double>(last.cycles - first.cycles) /
         (static_cast<double>(last.nanoseconds - first.nanoseconds) * 1e-9);
}

}  // namespace splitbench::cuda
