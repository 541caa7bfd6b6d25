#include "harness/backends/cuda/communicator.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <thread>

#include "harness/backends/cuda/loaded_library.h"
#include "harness/error.h"

namespace splitbench::cuda {
namespace {

using Clock = std::chrono::steady_clock;

void check(ncclResult_t result, const char* what, ncclComm_t communicator) {
  if (result == ncclSuccess) return;
  const char* last = ncclGetLastError(communicator);
  const std::string details = last == nullptr || *last == '\0' ? "" : fmt::format(": {}", last);
  throw HarnessError(fmt::format("{}: {} ({}){}", what, ncclGetErrorString(result),
                                 static_cast<int>(result), details));
}

ncclDataType_t type_of(DataType dtype) {
  switch (element_of(dtype)) {
    case kernels::Element::fp16:
      return ncclFloat16;
    case kernels::Element::bf16:
      return ncclBfloat16;
    case kernels::Element::fp32:
      break;
  }
  return ncclFloat32;
}

std::string hex(const ncclUniqueId& id) {
  std::string text;
  for (const char byte : id.internal) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

ncclUniqueId id_from(const std::string& text) {
  ncclUniqueId id{};
  if (text.size() != 2 * sizeof id.internal) throw HarnessError("the id from rank 0 is not whole");
  const char* digits = text.data();
  for (char& byte : id.internal) {
    unsigned char value = 0;
    std::from_chars(digits, digits + 2, value, 16);
    byte = static_cast<char>(value);
    digits += 2;
  }
  return id;
}

}  // namespace

std::string Communicator::make_id() {
  ncclUniqueId id{};
  check(ncclGetUniqueId(&id), "ncclGetUniqueId", nullptr);
  return hex(id);
}

std::string Communicator::version() {
  int version = 0;
  check(ncclGetVersion(&version), "ncclGetVersion", nullptr);
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

std::string Communicator::path() {
  return library_of(reinterpret_cast<const void*>(&ncclGetVersion));
}

Communicator::Communicator(const std::string& id, int rank, int ranks) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 1;
  check(ncclCommInitRankConfig(&handle_, ranks, id_from(id), rank, &config),
        "ncclCommInitRankConfig", nullptr);
}

Communicator::~Communicator() {
  // After a fault this may wait for ranks that are gone.
  if (handle_ != nullptr && std::uncaught_exceptions() == 0) ncclCommDestroy(handle_);
}

void Communicator::all_reduce(const void* from, void* to, std::size_t elements, DataType dtype,
                              cudaStream_t stream) const {
  check(ncclAllReduce(from, to, elements, type_of(dtype), ncclSum, handle_, stream),
        "ncclAllReduce", handle_);
}

void Communicator::check_async() const {
  ncclResult_t met = ncclSuccess;
  check(ncclCommGetAsyncError(handle_, &met), "ncclCommGetAsyncError", handle_);
  check(met, "NCCL met an error", handle_);
}

std::optional<Seconds> Communicator::estimate(void* memory, std::size_t elements, DataType dtype,
                                              cudaStream_t stream) const {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 22, 0)
  int version = 0;
  check(ncclGetVersion(&version), "ncclGetVersion", nullptr);
  if (version < NCCL_VERSION(2, 22, 0)) return std::nullopt;
  ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
  check(ncclGroupStart(), "ncclGroupStart", handle_);
  all_reduce(memory, memory, elements, dtype, stream);
  if (ncclGroupSimulateEnd(&info) != ncclSuccess || !(info.estimatedTime > 0.0F)) {
    return std::nullopt;
  }
  return Seconds(static_cast<double>(info.estimatedTime) * 1e-6);
#else
  return std::nullopt;
#endif
}

void Communicator::abort() noexcept {
  if (handle_ != nullptr) ncclCommAbort(std::exchange(handle_, nullptr));
}

void Communicator::wait(cudaStream_t stream, Seconds patience) const {
  constexpr auto kShortNap = std::chrono::microseconds(20);
  constexpr int kNapsBetweenLooks = 64;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(patience.value()));
  for (int naps = 1;; ++naps) {
    const cudaError_t state = cudaStreamQuery(stream);
    if (state == cudaSuccess) return;
    if (state != cudaErrorNotReady) cuda::check(state, "waiting for the device");
    cudaGetLastError();  // "not ready" would be taken for the next launch's error
    if (naps % kNapsBetweenLooks == 0) {
      check_async();
      if (Clock::now() > deadline) {
        throw HarnessError(
            fmt::format("the device did not finish its work within {:g} s", patience.value()));
      }
    }
    std::this_thread::sleep_for(kShortNap);
  }
}

}  // namespace splitbench::cuda
