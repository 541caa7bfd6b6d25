// The CUDA runtime, and nothing else: devices, and owners of what lives on them. Everything acts on
// the device that use_device() chose; a rank process uses one.
//
// Owners free what they own; raw handles (cudaStream_t, cudaEvent_t, cudaGraphExec_t, pointers) are
// views. While an exception is on its way nothing is freed: a free can wait for a device that
// hangs, and the process is about to end. What fails throws HarnessError with the sentence of
// faults.h, unless said otherwise.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/element.h"
#include "kernels/matrix.h"
#include "model/operation.h"
#include "model/quantity.h"

namespace splitbench::cuda {

// Throws where `result` is an error; `what` is the call or kernel that gave it.
void check(cudaError_t result, const char* what);

struct DeviceInfo {
  int index = 0;     // of the CUDA runtime; NVML counts differently, so look there by PCI bus id
  std::string name;  // as the vendor says it
  std::string uuid;  // "GPU-00112233-4455-6677-8899-aabbccddeeff"
  std::string pci_bus_id;  // "0000:41:00.0"
  Bytes memory{};
  int major = 0;  // compute capability
  int minor = 0;
  int multiprocessors = 0;
  Bytes last_level_cache{};
};

// As many as are visible; an error where none is, or where the driver cannot be used.
struct DeviceCount {
  int count = 0;
  cudaError_t error = cudaSuccess;
};
DeviceCount count_devices();
DeviceInfo describe_device(int index);
std::vector<DeviceInfo> describe_devices(const std::vector<int>& indices);
bool can_access_peer(int index, int peer);
// Lets kernels of one device reach memory of another, for as long as this process lives; already
// done is well. Both must have been used.
void enable_peer_access(int index, int peer);

// "12.4", of the runtime library and of what the driver supports.
inline constexpr const char* kNoVersion = "0.0";  // there is no driver
struct RuntimeVersions {
  std::string runtime;
  std::string driver;
};
RuntimeVersions runtime_versions();
std::string runtime_path();  // of the loaded library

// What a stand-in for the runtime says of the true times it used, as JSON; nothing on the real one.
std::optional<std::string> stand_in_truth();

// Makes it this process's device and runs a kernel, so that a device for which this program has no
// code is found out here.
void use_device(int index);
cudaError_t try_device(int index);  // the same, with an answer

struct MemoryUse {
  Bytes free{};
  Bytes total{};
};
MemoryUse memory_use();

// How an operation's matrices are stored.
kernels::Element element_of(DataType dtype);

// A handle of the runtime's, destroyed with its owner.
template <class Handle, cudaError_t (*destroy)(Handle)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != nullptr && std::uncaught_exceptions() == 0) destroy(handle_);
  }
  Handle get() const { return handle_; }

 private:
  Handle handle_ = nullptr;
};

using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using Graph = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

Stream make_stream();  // does not wait for the default stream
Event make_event();    // with a time
double seconds_between(cudaEvent_t start, cudaEvent_t end);

// Records on the event also where the stream is being captured: a node of the graph that sets it
// at every launch.
void record(cudaEvent_t event, cudaStream_t stream);

// What `queue` puts on `stream`, as a graph instead of being run.
template <class Queue>
GraphExec capture(cudaStream_t stream, Queue queue);
void begin_capture(cudaStream_t stream);
GraphExec end_capture(cudaStream_t stream);
void launch(cudaGraphExec_t graph, cudaStream_t stream);

// Memory of the device, aligned to 256 bytes, not initialised.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  explicit DeviceMemory(std::size_t bytes);
  // Nothing where the device has no room.
  static std::optional<DeviceMemory> try_allocate(std::size_t bytes);

  void* data() const { return owned_.get(); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data());
  }
  std::size_t bytes() const { return bytes_; }

 private:
  Owned<void*, cudaFree> owned_;
  std::size_t bytes_ = 0;
};

// Page-locked memory of the host that the device can reach, zero at first.
class PinnedMemory {
 public:
  PinnedMemory() = default;
  explicit PinnedMemory(std::size_t bytes);

  void* host() const { return owned_.get(); }
  void* device() const { return device_; }  // the device's address of the same memory
  std::size_t bytes() const { return bytes_; }

 private:
  Owned<void*, cudaFreeHost> owned_;
  void* device_ = nullptr;
  std::size_t bytes_ = 0;
};

// `count` values of a plain type in PinnedMemory: what a kernel writes and the host reads once the
// stream is done.
template <class T>
class Pinned {
 public:
  explicit Pinned(std::size_t count = 1) : memory_(count * sizeof(T)) {}
  T* host() const { return static_cast<T*>(memory_.host()); }
  T* device() const { return static_cast<T*>(memory_.device()); }
  std::size_t count() const { return memory_.bytes() / sizeof(T); }

 private:
  PinnedMemory memory_;
};

// Lets the device reach memory that this process has mapped already (shared with other ranks), for
// as long as this lives. Whole pages.
class MappedHost {
 public:
  MappedHost() = default;
  MappedHost(void* pages, std::size_t bytes);
  void* device() const { return device_; }

 private:
  Owned<void*, cudaHostUnregister> registered_;
  void* device_ = nullptr;
};

// Every byte = `value`; a copy. Queued on the stream.
void set_bytes(void* memory, int value, std::size_t bytes, cudaStream_t stream);
void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
// From device to device, by a copy engine; through the host where they cannot reach each other.
void copy_between(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                  cudaStream_t stream);
void synchronize(cudaStream_t stream);

// A row-major matrix that owns its memory, without padding; its view is a kernels::Matrix.
class DeviceMatrix {
 public:
  DeviceMatrix() = default;
  DeviceMatrix(DataType dtype, std::int64_t rows, std::int64_t columns);
  DeviceMatrix(DeviceMemory memory, DataType dtype, std::int64_t rows, std::int64_t columns);
  static std::size_t bytes(DataType dtype, std::int64_t rows, std::int64_t columns);

  kernels::Matrix view() const { return view_; }
  void* data() const { return view_.data; }
  std::size_t bytes() const { return memory_.bytes(); }

 private:
  DeviceMemory memory_;
  kernels::Matrix view_;
};

template <class Queue>
GraphExec capture(cudaStream_t stream, Queue queue) {
  begin_capture(stream);
  queue();
  return end_capture(stream);
}

}  // namespace splitbench::cuda
