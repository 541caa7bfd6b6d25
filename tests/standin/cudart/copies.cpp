// Copies and fills of the runtime.
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "tests/standin/capture.h"
#include "tests/standin/cudart/report.h"
#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/memory.h"
#include "tests/standin/scenario.h"

using namespace splitbench::standin;

namespace {

// Rows of bytes, `pitch` apart.
struct Rows {
  char* begin = nullptr;
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t height = 0;

  std::size_t bytes() const { return width * height; }
  std::size_t span() const { return (height - 1) * pitch + width; }
  std::optional<Allocation> memory() const { return find_allocation(begin); }
  // Not memory of the runtime's, or all inside one piece of it.
  bool is_inside() const {
    const auto found = memory();
    return !found ||
           span() <= found->bytes - (reinterpret_cast<std::uintptr_t>(begin) - found->begin);
  }
};

Rows rows_of(const void* begin, std::size_t pitch, std::size_t width, std::size_t height) {
  return {static_cast<char*>(const_cast<void*>(begin)), pitch, width, height};
}

bool is_on_device(const Rows& rows) {
  const auto memory = rows.memory();
  return memory && memory->type == cudaMemoryTypeDevice;
}

// What `kind` says of either end is so.
bool agrees(cudaMemcpyKind kind, const Rows& to, const Rows& from) {
  if (kind == cudaMemcpyDefault) return true;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return is_on_device(to) == to_device && is_on_device(from) == from_device;
}

void move(const Rows& to, const Rows& from) {
  for (std::size_t row = 0; row < to.height; ++row) {
    std::memmove(to.begin + row * to.pitch, from.begin + row * from.pitch, to.width);
  }
}

// Two devices' memory, or none.
bool joins_peers(const Rows& to, const Rows& from) {
  return is_on_device(to) && is_on_device(from) && to.memory()->device != from.memory()->device;
}

double seconds_of_copy(const Rows& to, const Rows& from, int device) {
  const auto bytes = static_cast<double>(to.bytes());
  const bool is_local = is_on_device(to) && is_on_device(from) && !joins_peers(to, from);
  if (is_local) return bytes / scenario().memory_bytes_per_s;
  const Fault* slow = joins_peers(to, from) ? strike("slow-link", device) : nullptr;
  return bytes / scenario().bandwidth_bytes_per_s *
         (slow == nullptr ? 1 : slow->number("factor", 10));
}

// Pageable memory that is read has been read when the call returns: it is staged.
Rows staged(const Rows& from, std::shared_ptr<std::vector<char>>& stage) {
  stage = std::make_shared<std::vector<char>>(from.bytes());
  const Rows copy{stage->data(), from.width, from.width, from.height};
  move(copy, from);
  return copy;
}

cudaError_t copy(const Rows& to, Rows from, cudaMemcpyKind kind, cudaStream_t stream) {
  if (to.bytes() == 0) return cudaSuccess;
  if (to.begin == nullptr || from.begin == nullptr || to.pitch < to.width ||
      from.pitch < from.width || !to.is_inside() || !from.is_inside()) {
    return cudaErrorInvalidValue;
  }
  if (!agrees(kind, to, from)) return cudaErrorInvalidMemcpyDirection;
  const bool capturing = is_capturing(stream);
  std::shared_ptr<std::vector<char>> stage;
  if (!from.memory() && !capturing) from = staged(from, stage);
  const cudaError_t error =
      enqueue(stream, {.kind = Kind::copy, .name = "copy", .body = [to, from, stage](Turn& turn) {
                         const bool lost = joins_peers(to, from) &&
                                           strike("corrupt-peer", turn.device()) != nullptr;
                         if (!lost) move(to, from);
                         turn.spend(seconds_of_copy(to, from, turn.device()));
                       }});
  if (error != cudaSuccess) return error;
  // Into pageable memory: has happened when the call returns.
  return to.memory() || capturing ? cudaSuccess : cudaStreamSynchronize(stream);
}

cudaError_t fill(const Rows& rows, int value, cudaStream_t stream) {
  if (rows.bytes() == 0) return cudaSuccess;
  if (!rows.memory() || !rows.is_inside()) return cudaErrorInvalidValue;
  return enqueue(stream,
                 {.kind = Kind::copy, .name = "fill", .body = [rows, value](Turn& turn) {
                    for (std::size_t row = 0; row < rows.height; ++row) {
                      std::memset(rows.begin + row * rows.pitch, value, rows.width);
                    }
                    turn.spend(static_cast<double>(rows.bytes()) / scenario().memory_bytes_per_s);
                  }});
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  return report(copy(rows_of(to, bytes, bytes, 1), rows_of(from, bytes, bytes, 1), kind, stream));
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  STANDIN_BREAKS_CAPTURE();
  const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  return report(copy(rows_of(to, to_pitch, width, height), rows_of(from, from_pitch, width, height),
                     kind, stream));
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  STANDIN_BREAKS_CAPTURE();
  const cudaError_t error =
      cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
  return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  if (!is_device(to_device) || !is_device(from_device)) return report(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
  STANDIN_BREAKS_CAPTURE();
  const cudaError_t error = cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
  return error != cudaSuccess ? error : cudaStreamSynchronize(nullptr);
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  return report(fill(rows_of(memory, bytes, bytes, 1), value, stream));
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  STANDIN_BREAKS_CAPTURE();
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}

cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  STANDIN_NEEDS_DEVICE();
  return report(fill(rows_of(memory, pitch, width, height), value, stream));
}
}
