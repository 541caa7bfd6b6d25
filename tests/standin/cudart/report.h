// What every function of the runtime's interface does with errors.
#pragma once

#include <cuda_runtime_api.h>

namespace splitbench::standin {

// Remembers it for cudaGetLastError() of this thread; returns it.
cudaError_t report(cudaError_t error);

// What keeps any call from working now: the environment, or the current device's sticky error.
cudaError_t refusal();

bool is_device(int device);

}  // namespace splitbench::standin

// At the start of a function that needs a device.
#define STANDIN_NEEDS_DEVICE() \
  if (const cudaError_t refused = splitbench::standin::refusal()) return report(refused)

// At the start of a function that would break a capture.
#define STANDIN_BREAKS_CAPTURE() \
  if (breaks_capture()) return report(cudaErrorStreamCaptureUnsupported)
