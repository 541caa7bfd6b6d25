// Kernels that serve the measurement: gate, stamp, flush, null and the probe of a peer's memory.
#include <gtest/gtest.h>

#include <atomic>

#include "kernels/flush.h"
#include "kernels/gate.h"
#include "kernels/null.h"
#include "kernels/peer_probe.h"
#include "kernels/stamp.h"
#include "tests/kernels/device.h"

namespace splitbench::kernels {
namespace {

using Null = OnDevice;
using Gate = OnDevice;
using StampTest = OnDevice;
using Flush = OnDevice;
using PeerProbe = OnDevice;

TEST_F(Null, Launches) {
  check(null(nullptr));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

// A launcher answers for its own launch, not for what another call left behind.
TEST_F(Null, DoesNotRepeatAnOlderError) {
  EXPECT_NE(cudaSetDevice(-1), cudaSuccess);
  EXPECT_EQ(null(nullptr), cudaSuccess);
  EXPECT_NE(cudaGetLastError(), cudaSuccess);
}

// Two words of host memory that the device reads and writes.
class MappedWords {
 public:
  MappedWords() {
    check(cudaHostAlloc(reinterpret_cast<void**>(&host_), 2 * sizeof(std::uint32_t),
                        cudaHostAllocMapped));
    check(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_), host_, 0));
    host_[0] = host_[1] = 0;
  }
  ~MappedWords() { cudaFreeHost(host_); }
  MappedWords(const MappedWords&) = delete;
  MappedWords& operator=(const MappedWords&) = delete;

  void store_flag(std::uint32_t value) {
    std::atomic_ref<std::uint32_t>(host_[0]).store(value, std::memory_order_release);
  }
  const std::uint32_t* flag() const { return device_; }
  std::uint32_t* expired() const { return device_ + 1; }
  std::uint32_t has_expired() const { return host_[1]; }

 private:
  std::uint32_t* host_ = nullptr;
  std::uint32_t* device_ = nullptr;
};

constexpr std::uint64_t kSecond = 1'000'000'000;

TEST_F(Gate, IsOpenWhereTheTicketHasBeenReached) {
  MappedWords words;
  words.store_flag(7);
  for (const std::uint32_t ticket : {6U, 7U}) {
    check(gate(words.flag(), ticket, 10 * kSecond, words.expired(), nullptr));
    check(cudaDeviceSynchronize());
    EXPECT_EQ(words.has_expired(), 0U);
  }
}

TEST_F(Gate, HoldsTheStreamUntilTheHostLetsItGo) {
  MappedWords words;
  const DeviceArray<Stamp> stamps(1);
  check(gate(words.flag(), 1, 60 * kSecond, words.expired(), nullptr));
  check(stamp(stamps.data(), nullptr));
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  words.store_flag(1);
  check(cudaDeviceSynchronize());
  EXPECT_EQ(words.has_expired(), 0U);
  EXPECT_NE(stamps.read()[0].nanoseconds, 0U);
}

TEST_F(Gate, GivesUpAfterItsBoundAndSaysSo) {
  MappedWords words;
  words.store_flag(4);
  check(gate(words.flag(), 5, 1'000'000, words.expired(), nullptr));
  check(cudaDeviceSynchronize());
  EXPECT_EQ(words.has_expired(), 1U);
}

TEST_F(StampTest, TimeDoesNotRunBackwards) {
  constexpr std::uint64_t kUntouched = ~std::uint64_t{0};
  const DeviceArray<Stamp> stamps(2, Stamp{kUntouched, kUntouched, ~0U});
  check(stamp(stamps.data(), nullptr));
  check(stamp(stamps.data() + 1, nullptr));
  const std::vector<Stamp> got = stamps.read();
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, 0));
  EXPECT_LE(got[0].nanoseconds, got[1].nanoseconds);
  EXPECT_LT(got[1].nanoseconds, kUntouched);
  for (const Stamp& taken : got) {
    EXPECT_LT(taken.cycles, kUntouched);
    EXPECT_LT(taken.multiprocessor, static_cast<unsigned>(properties.multiProcessorCount));
  }
}

// No timer of a GPU is known to step by more than about a millisecond.
TEST_F(StampTest, TheTimersStepIsMeasured) {
  const DeviceArray<std::uint64_t> step(1, ~std::uint64_t{0});
  check(measure_timer_step(step.data(), nullptr));
  EXPECT_LT(step.read()[0], 10'000'000U);
}

// Unit i is written as four times i; each thread then leaves what it read, here its one unit's sum.
TEST_F(Flush, WritesAndReadsEveryWholeUnitAndNothingElse) {
  constexpr std::uint8_t kUntouched = 90;
  const DeviceArray<std::uint8_t> buffer(3 * 16 + 9, kUntouched);
  check(flush(buffer.data(), 3 * 16 + 9, nullptr));
  const std::vector<std::uint8_t> bytes = buffer.read();
  for (std::size_t i = 0; i < 3 * 16; ++i) {
    const std::size_t unit = i / 16;
    const std::size_t low_byte = i % 16 == 0 ? 4 * unit : i % 4 == 0 ? unit : 0;
    EXPECT_EQ(bytes[i], low_byte) << i;
  }
  for (std::size_t i = 3 * 16; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], kUntouched) << i;
}

// A buffer of all units u: the sums left in it and the words that no sum replaced account for every
// unit exactly once, 4 u each.
TEST_F(Flush, ReadsAllOfABufferThatIsLargerThanAGrid) {
  constexpr std::size_t kUnits = (1U << 20) + 100;  // a grid has 2^20 threads
  const DeviceArray<std::uint32_t> buffer(4 * kUnits);
  check(flush(buffer.data(), 16 * kUnits, nullptr));
  const std::vector<std::uint32_t> words = buffer.read();
  for (std::uint32_t unit = 0; unit < kUnits; ++unit) {
    const std::uint32_t second = unit + (1U << 20);  // what the same thread reads next
    const std::uint32_t sum =
        unit >= 1U << 20 ? unit : 4 * unit + (second < kUnits ? 4 * second : 0);
    ASSERT_EQ(words[4 * std::size_t{unit}], sum) << unit;
    ASSERT_EQ(words[4 * std::size_t{unit} + 3], unit);
  }
}

TEST_F(Flush, RefusesABufferOutOfLine) {
  const DeviceArray<std::uint8_t> buffer(64);
  EXPECT_EQ(flush(buffer.data() + 4, 32, nullptr), cudaErrorInvalidValue);
}

constexpr std::uint32_t kPoison = 0xdeadbeef;
constexpr std::uint32_t kNonce = 12345;
constexpr std::size_t kWords = 1003;

PeerFindings looked_at(const DeviceArray<std::uint32_t>& guarded, std::uint32_t nonce = kNonce) {
  const DeviceArray<PeerFindings> findings(1);
  check(peer_look(guarded.data(), kWords, nonce, kPoison, findings.data(), nullptr));
  return findings.read()[0];
}

void expect_nothing_wrong(const PeerFindings& found) {
  EXPECT_EQ(found.wrong, 0U);
  EXPECT_EQ(found.first_wrong, 0U);
  EXPECT_EQ(found.still_poison, 0U);
  EXPECT_EQ(found.guards_broken, 0U);
}

TEST_F(PeerProbe, SeesThatNothingArrived) {
  const DeviceArray<std::uint32_t> guarded(kWords + 2 * kGuardWords);
  check(poison_guarded(guarded.data(), kWords, kPoison, nullptr));
  const PeerFindings found = looked_at(guarded);
  EXPECT_EQ(found.wrong, kWords);
  EXPECT_EQ(found.still_poison, kWords);
  EXPECT_EQ(found.first_wrong, 1U);
  EXPECT_EQ(found.guards_broken, 0U);
}

TEST_F(PeerProbe, SeesAWrongWordAnotherNonceAndABrokenGuard) {
  DeviceArray<std::uint32_t> guarded(kWords + 2 * kGuardWords);
  check(poison_guarded(guarded.data(), kWords, kPoison, nullptr));
  check(peer_store(guarded.data() + kGuardWords, kWords, kNonce, nullptr));
  expect_nothing_wrong(looked_at(guarded));
  EXPECT_EQ(looked_at(guarded, kNonce + 1).wrong, kWords);

  std::vector<std::uint32_t> words = guarded.read();
  words[kGuardWords + 500] ^= 1;
  words[kGuardWords + 900] ^= 1;
  words[kGuardWords - 1] = 0;
  words[kGuardWords + kWords] = 0;
  guarded.write(words);
  const PeerFindings found = looked_at(guarded);
  EXPECT_EQ(found.wrong, 2U);
  EXPECT_EQ(found.first_wrong, 501U);
  EXPECT_EQ(found.still_poison, 0U);
  EXPECT_EQ(found.guards_broken, 2U);
}

// The pattern is MurmurHash3's finaliser of nonce + i: fmix32(0) = 0, fmix32(1) = 0x514e28b7
// (published test value of that function).
TEST_F(PeerProbe, ThePatternIsThePublishedFinaliser) {
  const DeviceArray<std::uint32_t> words(2);
  check(peer_store(words.data(), 2, 0, nullptr));
  EXPECT_EQ(words.read(), (std::vector<std::uint32_t>{0, 0x514e28b7}));
}

TEST_F(PeerProbe, AnotherDeviceWritesAndTheOwnerSeesIt) {
  int reaches = 0;
  if (cudaDeviceCanAccessPeer(&reaches, 1, 0) != cudaSuccess || reaches == 0)
    GTEST_SKIP() << "no second CUDA device that reaches the first";
  const DeviceArray<std::uint32_t> guarded(kWords + 2 * kGuardWords);
  check(poison_guarded(guarded.data(), kWords, kPoison, nullptr));
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(1));
  check(cudaDeviceEnablePeerAccess(0, 0));
  check(peer_store(guarded.data() + kGuardWords, kWords, kNonce, nullptr));
  check(cudaDeviceSynchronize());
  check(cudaSetDevice(0));
  expect_nothing_wrong(looked_at(guarded));
}

}  // namespace
}  // namespace splitbench::kernels
