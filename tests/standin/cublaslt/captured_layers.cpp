#include "tests/standin/cublaslt/captured_layers.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "tests/standin/capture.h"

namespace splitbench::standin {
namespace {

std::optional<std::uint64_t> capture_id(cudaStream_t stream) {
  const std::lock_guard lock(stream_mutex());
  const Stream* found = find_stream(stream);
  if (found == nullptr || found->capture == nullptr) return std::nullopt;
  return found->capture->id();
}

}  // namespace

std::shared_ptr<CapturedLayers> count_captured_layer(cudaStream_t stream) {
  const std::optional<std::uint64_t> id = capture_id(stream);
  if (!id) return nullptr;
  static auto& mutex = *new std::mutex;
  static auto& known = *new std::map<std::uint64_t, std::weak_ptr<CapturedLayers>>;
  const std::lock_guard lock(mutex);
  std::shared_ptr<CapturedLayers> layers = known[*id].lock();
  if (layers == nullptr) known[*id] = layers = std::make_shared<CapturedLayers>();
  layers->add();
  return layers;
}

}  // namespace splitbench::standin
