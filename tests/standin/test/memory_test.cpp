// Memory and copies on the stand-ins.
#include <sys/mman.h>
#include <sys/resource.h>

#include <numeric>
#include <vector>

#include "kernels/fill.h"
#include "tests/standin/test/scenario_file.h"

namespace splitbench::standin {
namespace {

using kernels::Element;

std::vector<int> counting(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

TEST(Memory, BytesCopiedToADeviceAndBackAreTheSame) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  const std::vector<int> sent = counting(1000);
  int* memory = on_device<int>(1000);
  int* other = on_device<int>(1000);
  std::vector<int> received(1000);
  cudaMemcpyAsync(memory, sent.data(), 4000, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(other, memory, 4000, cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyAsync(received.data(), other, 4000, cudaMemcpyDefault, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(received, sent);
}

// Pageable memory may be used again when the call returns: CUDA programming guide, "staged".
TEST(Memory, PageableMemoryHasBeenReadWhenTheCallReturns) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  std::vector<int> sent = counting(1000);
  int* memory = on_device<int>(1000);
  cudaMemcpyAsync(memory, sent.data(), 4000, cudaMemcpyHostToDevice, stream);
  sent.assign(1000, 0);
  std::vector<int> received(1000);
  cudaMemcpyAsync(received.data(), memory, 4000, cudaMemcpyDeviceToHost, stream);
  EXPECT_EQ(received, counting(1000));
}

TEST(Memory, RowsAreCopiedWithTheirPitches) {
  const ScenarioFile scenario("{}");
  const std::vector<int> sent = counting(6);  // 2 x 3
  int* memory = on_device<int>(8);            // 2 x 4
  ASSERT_EQ(cudaMemset(memory, 0, 32), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(memory, 16, sent.data(), 12, 12, 2, cudaMemcpyHostToDevice), cudaSuccess);
  std::vector<int> received(8);
  ASSERT_EQ(cudaMemcpy(received.data(), memory, 32, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(received, (std::vector<int>{1, 2, 3, 0, 4, 5, 6, 0}));
}

TEST(Memory, NewMemoryHoldsNoZeros) {
  const ScenarioFile scenario("{}");
  std::vector<unsigned char> received(100);
  ASSERT_EQ(cudaMemcpy(received.data(), on_device<char>(100), 100, cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(received, std::vector<unsigned char>(100, 0xa5));
}

TEST(Memory, ADeviceHoldsNoMoreThanItHas) {
  const ScenarioFile scenario(R"({"memory_bytes": 1000000})");
  void* memory = nullptr;
  void* more = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 600'000), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, 400'001), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);  // not one that stays
  std::size_t free = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
  EXPECT_EQ(free, 400'000U);
  EXPECT_EQ(total, 1'000'000U);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&more, 1'000'000), cudaSuccess);
}

TEST(Memory, ACopyBeyondTheEndIsRefused) {
  const ScenarioFile scenario("{}");
  std::vector<char> host(101);
  EXPECT_EQ(cudaMemcpy(on_device<char>(100), host.data(), 101, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST(Memory, TheDirectionOfACopyMustBeSo) {
  const ScenarioFile scenario("{}");
  std::vector<char> host(100);
  EXPECT_EQ(cudaMemcpy(host.data(), on_device<char>(100), 100, cudaMemcpyHostToDevice),
            cudaErrorInvalidMemcpyDirection);
}

// 257 columns where there is room for 256: the first byte behind the memory.
TEST(Memory, AKernelThatLeavesItsMemoryGetsAnErrorThatStays) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  float* memory = on_device<float>(256);
  ASSERT_EQ(kernels::fill_normal({memory, Element::fp32, 1, 256, 256}, 1, {}, 1, stream),
            cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  kernels::fill_normal({memory, Element::fp32, 1, 257, 257}, 1, {}, 1, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  void* more = nullptr;
  EXPECT_EQ(cudaMalloc(&more, 1), cudaErrorIllegalAddress);
}

TEST(Memory, FreedMemoryIsGone) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  float* memory = on_device<float>(256);
  ASSERT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  kernels::fill_normal({memory, Element::fp32, 1, 256, 256}, 1, {}, 1, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
}

TEST(Memory, APeersMemoryIsReachedOnceThatIsSwitchedOn) {
  const ScenarioFile scenario("{}");
  float* memory = on_device<float>(256);  // of device 0
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  const cudaStream_t stream = make_stream();
  int can = 0;
  ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 1, 0), cudaSuccess);
  EXPECT_EQ(can, 1);
  ASSERT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
  kernels::fill_integers({memory, Element::fp32, 1, 256, 256}, 1, {}, 1, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  ASSERT_EQ(cudaDeviceDisablePeerAccess(0), cudaSuccess);
  kernels::fill_integers({memory, Element::fp32, 1, 256, 256}, 1, {}, 1, stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorIllegalAddress);
}

TEST(Memory, RegisteredHostMemoryIsReachedByKernels) {
  const ScenarioFile scenario("{}");
  const cudaStream_t stream = make_stream();
  void* pages = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_EQ(cudaHostRegister(pages, 4096, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(pages, 4096, cudaHostRegisterMapped),
            cudaErrorHostMemoryAlreadyRegistered);
  void* device = nullptr;
  ASSERT_EQ(cudaHostGetDevicePointer(&device, pages, 0), cudaSuccess);
  kernels::fill_integers({device, Element::fp32, 1, 1024, 1024}, 1, {}, 1, stream);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  for (int i = 0; i < 1024; ++i) {  // sparsity 1: all are -1 or 1
    const float value = static_cast<const float*>(pages)[i];
    EXPECT_EQ(value * value, 1.0F);
  }
  EXPECT_EQ(cudaHostUnregister(pages), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(pages), cudaErrorHostMemoryNotRegistered);
}

// The system counts pages that may be written when they are made writable (setrlimit(2),
// RLIMIT_DATA): the guard pages are mapped by then, as they are when mappings run out.
TEST(Memory, ThatTheSystemDoesNotGiveIsOutOfMemory) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer itself cannot allocate under the limit";
#endif
  const ScenarioFile scenario("{}");
  on_device<int>(1);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_DATA, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = std::size_t{1} << 20;
  void* memory = nullptr;
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &tight), 0);
  const cudaError_t error = cudaMalloc(&memory, std::size_t{64} << 20);
  ASSERT_EQ(setrlimit(RLIMIT_DATA, &before), 0);
  EXPECT_EQ(error, cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, std::size_t{64} << 20), cudaSuccess);
}

}  // namespace
}  // namespace splitbench::standin
