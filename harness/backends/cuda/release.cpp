#include "harness/backends/cuda/release.h"

#include <atomic>
#include <memory>

#include "harness/error.h"
#include "kernels/gate.h"

namespace splitbench::cuda {
namespace {

constexpr std::size_t kPage = std::size_t{1} << 12;
// Longer than any rank should take to queue one repeat; a lost release ends as a void sample.
constexpr std::uint64_t kBoundNs = 10'000'000'000;

// The first whole page of the region's data: the same place in every process, as mappings begin at
// a page.
std::uint32_t* first_page(SharedRegion& region) {
  void* data = region.data().data();
  std::size_t room = region.data().size();
  if (std::align(kPage, kPage, data, room) == nullptr) {
    throw HarnessError("the session's shared memory has no room for the release flag");
  }
  return static_cast<std::uint32_t*>(data);
}

}  // namespace

Release::Release(SharedRegion& region) : flag_(first_page(region)), mapped_(flag_, kPage) {}

void Release::hold(cudaStream_t stream) {
  ++ticket_;
  check(kernels::gate(static_cast<const std::uint32_t*>(mapped_.device()), ticket_, kBoundNs,
                      expired_.device(), stream),
        "kernels::gate");
}

void Release::let_go() {
  std::atomic_ref(*flag_).store(ticket_, std::memory_order_release);
}

bool Release::came_too_late() {
  const bool expired = *expired_.host() != 0;
  *expired_.host() = 0;
  return expired;
}

}  // namespace splitbench::cuda
