#include "harness/backends/cuda/runtime.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstring>

#include "harness/backends/cuda/faults.h"
#include "harness/backends/cuda/loaded_library.h"
#include "harness/error.h"
#include "kernels/null.h"

namespace splitbench::cuda {
namespace {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU";
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // an error that is not sticky is not met again by the next call
  throw HarnessError(fault_text(what, result, explain(result, runtime_versions())));
}

DeviceCount count_devices() {
  DeviceCount found;
  found.error = cudaGetDeviceCount(&found.count);
  if (found.error != cudaSuccess) {
    cudaGetLastError();
    found.count = 0;
  } else if (found.count == 0) {
    found.error = cudaErrorNoDevice;
  }
  return found;
}

DeviceInfo describe_device(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  std::array<char, 32> bus{};
  check(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), index),
        "cudaDeviceGetPCIBusId");
  for (char& digit : bus) digit = static_cast<char>(std::toupper(digit));  // in any driver's words
  return {.index = index,
          .name = properties.name,
          .uuid = uuid_text(properties.uuid),
          .pci_bus_id = bus.data(),
          .memory = Bytes(static_cast<double>(properties.totalGlobalMem)),
          .major = properties.major,
          .minor = properties.minor,
          .multiprocessors = properties.multiProcessorCount,
          .last_level_cache = Bytes(properties.l2CacheSize)};
}

std::vector<DeviceInfo> describe_devices(const std::vector<int>& indices) {
  std::vector<DeviceInfo> devices;
  for (const int index : indices) devices.push_back(describe_device(index));
  return devices;
}

bool can_access_peer(int index, int peer) {
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, index, peer), "cudaDeviceCanAccessPeer");
  return can != 0;
}

void enable_peer_access(int index, int peer) {
  check(cudaSetDevice(index), "cudaSetDevice");
  const cudaError_t result = cudaDeviceEnablePeerAccess(peer, 0);
  if (result == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();  // it stays until it is asked for
  } else {
    check(result, "cudaDeviceEnablePeerAccess");
  }
}

RuntimeVersions runtime_versions() {
  int runtime = 0;
  int driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cudaDriverGetVersion(&driver);
  return {.runtime = version_text(runtime), .driver = version_text(driver)};
}

std::string runtime_path() {
  return library_of(reinterpret_cast<const void*>(&cudaGetDeviceCount));
}

std::optional<std::string> stand_in_truth() {
  using Truth = const char* (*)();
  const auto truth = reinterpret_cast<Truth>(symbol_beside(
      reinterpret_cast<const void*>(&cudaGetDeviceCount), "splitbench_standin_truth"));
  if (truth == nullptr) return std::nullopt;
  return truth();
}

void use_device(int index) {
  check(try_device(index), "the first kernel on the device");
}

cudaError_t try_device(int index) {
  cudaError_t result = cudaSetDevice(index);
  if (result == cudaSuccess) result = kernels::null(nullptr);
  if (result == cudaSuccess) result = cudaDeviceSynchronize();
  if (result != cudaSuccess) cudaGetLastError();
  return result;
}

MemoryUse memory_use() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return {.free = Bytes(static_cast<double>(free)), .total = Bytes(static_cast<double>(total))};
}

kernels::Element element_of(DataType dtype) {
  switch (dtype) {
    case DataType::fp16:
      return kernels::Element::fp16;
    case DataType::bf16:
      return kernels::Element::bf16;
    case DataType::fp32:
    case DataType::tf32:
      break;
  }
  return kernels::Element::fp32;
}

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream);
}

Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "cudaEventCreate");
  return Event(event);
}

double seconds_between(cudaEvent_t start, cudaEvent_t end) {
  float milliseconds = 0.0F;
  check(cudaEventElapsedTime(&milliseconds, start, end), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

void record(cudaEvent_t event, cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  const unsigned flags =
      status == cudaStreamCaptureStatusNone ? cudaEventRecordDefault : cudaEventRecordExternal;
  check(cudaEventRecordWithFlags(event, stream, flags), "cudaEventRecordWithFlags");
}

void begin_capture(cudaStream_t stream) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
}

GraphExec end_capture(cudaStream_t stream) {
  cudaGraph_t raw = nullptr;
  check(cudaStreamEndCapture(stream, &raw), "cudaStreamEndCapture");
  const Graph graph(raw);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph.get(), 0), "cudaGraphInstantiate");
  return GraphExec(executable);
}

void launch(cudaGraphExec_t graph, cudaStream_t stream) {
  check(cudaGraphLaunch(graph, stream), "cudaGraphLaunch");
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  auto memory = try_allocate(bytes);
  if (!memory) check(cudaErrorMemoryAllocation, "cudaMalloc");
  *this = *std::move(memory);
}

std::optional<DeviceMemory> DeviceMemory::try_allocate(std::size_t bytes) {
  void* memory = nullptr;
  const cudaError_t result = cudaMalloc(&memory, bytes);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    return std::nullopt;
  }
  check(result, "cudaMalloc");
  DeviceMemory allocated;
  allocated.owned_ = Owned<void*, cudaFree>(memory);
  allocated.bytes_ = bytes;
  return allocated;
}

PinnedMemory::PinnedMemory(std::size_t bytes) : bytes_(bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped), "cudaHostAlloc");
  owned_ = Owned<void*, cudaFreeHost>(memory);
  std::memset(memory, 0, bytes);
  check(cudaHostGetDevicePointer(&device_, memory, 0), "cudaHostGetDevicePointer");
}

MappedHost::MappedHost(void* pages, std::size_t bytes) {
  check(cudaHostRegister(pages, bytes, cudaHostRegisterMapped), "cudaHostRegister");
  registered_ = Owned<void*, cudaHostUnregister>(pages);
  check(cudaHostGetDevicePointer(&device_, pages, 0), "cudaHostGetDevicePointer");
}

void set_bytes(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  check(cudaMemsetAsync(memory, value, bytes, stream), "cudaMemsetAsync");
}

void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "cudaMemcpyAsync");
}

void copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                  cudaStream_t stream) {
  check(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream),
        "cudaMemcpyPeerAsync");
}

void synchronize(cudaStream_t stream) {
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

std::size_t DeviceMatrix::bytes(DataType dtype, std::int64_t rows, std::int64_t columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) *
         kernels::size_of(element_of(dtype));
}

DeviceMatrix::DeviceMatrix(DataType dtype, std::int64_t rows, std::int64_t columns)
    : DeviceMatrix(DeviceMemory(bytes(dtype, rows, columns)), dtype, rows, columns) {}

DeviceMatrix::DeviceMatrix(DeviceMemory memory, DataType dtype, std::int64_t rows,
                           std::int64_t columns)
    : memory_(std::move(memory)),
      view_{.data = memory_.data(),
            .element = element_of(dtype),
            .rows = rows,
            .columns = columns,
            .leading = columns} {}

}  // namespace splitbench::cuda
