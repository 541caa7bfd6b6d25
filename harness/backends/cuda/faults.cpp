#include "harness/backends/cuda/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace splitbench::cuda {
namespace {

struct Entry {
  cudaError_t error;
  std::string_view sentence;
  std::string_view mend;
};

constexpr std::string_view kNewDriver =
    "install a newer NVIDIA driver, or build against an older CUDA Toolkit (12.4 or newer)";
constexpr std::string_view kNewProcess =
    "run again; if it comes back, 'nvidia-smi -q' and the kernel log say more of this device";
constexpr std::string_view kReset = "reset the device (nvidia-smi --gpu-reset) or restart the node";

// Source: the CUDA runtime's cudaError enumeration.
constexpr std::array<Entry, 27> kEntries{{
    {cudaErrorMemoryAllocation, "the device is out of memory",
     "free it (nvidia-smi lists who uses it), or choose a smaller operation"},
    {cudaErrorInitializationError, "the driver could not be initialised",
     "check that 'nvidia-smi' works here, in a container that it was started with --gpus all"},
    {cudaErrorStubLibrary, "the stub of libcuda that is meant for linking was loaded",
     "take the toolkit's stubs folder out of LD_LIBRARY_PATH"},
    {cudaErrorInsufficientDriver, "the driver is too old for this CUDA runtime", kNewDriver},
    {cudaErrorCallRequiresNewerDriver, "a call needs a newer driver", kNewDriver},
    {cudaErrorDevicesUnavailable, "the device is taken, or may not be used",
     "end the process that uses it, or set its compute mode to Default (nvidia-smi -c 0)"},
    {cudaErrorNoDevice, "no CUDA device is visible",
     "check 'nvidia-smi', CUDA_VISIBLE_DEVICES, and in a container --gpus all"},
    {cudaErrorInvalidDevice, "there is no such device", "choose others with --devices"},
    {cudaErrorNoKernelImageForDevice, "this program holds no code for this device",
     "build with -DCMAKE_CUDA_ARCHITECTURES set to its compute capability, as in 90"},
    {cudaErrorUnsupportedPtxVersion, "the driver cannot compile this program's PTX", kNewDriver},
    {cudaErrorECCUncorrectable, "the device met a memory error that ECC cannot correct", kReset},
    {cudaErrorPeerAccessUnsupported, "the devices cannot reach each other's memory", ""},
    {cudaErrorNvlinkUncorrectable, "a link between devices met an error it cannot correct", kReset},
    {cudaErrorContained, "the device met a contained memory error", kNewProcess},
    {cudaErrorOperatingSystem, "a call to the operating system failed",
     "check the limits of this container: /dev/shm, locked memory, devices"},
    {cudaErrorIllegalAddress, "a kernel reached for memory that is not its own", kNewProcess},
    {cudaErrorLaunchTimeout, "a kernel ran longer than the driver allows",
     "use a device without a display"},
    {cudaErrorHardwareStackError, "the device met a hardware fault", kReset},
    {cudaErrorLaunchFailure, "a kernel ended with a fault", kNewProcess},
    {cudaErrorNotPermitted, "the driver does not permit this", ""},
    {cudaErrorNotSupported, "the driver or device does not support this", ""},
    {cudaErrorSystemNotReady,
     "the system is not ready: on nodes with NVSwitch the fabric manager "
     "is not running",
     "start nvidia-fabricmanager of the driver's version on the host; a container cannot"},
    {cudaErrorSystemDriverMismatch, "the driver and its libraries are of different versions",
     "restart the node, or install libraries of the running driver's version"},
    {cudaErrorCompatNotSupportedOnDevice, "forward compatibility is not for this device",
     "remove the cuda-compat package, or install a newer NVIDIA driver"},
    {cudaErrorMpsConnectionFailed, "the MPS server cannot be reached",
     "start it, or unset CUDA_MPS_PIPE_DIRECTORY"},
    {cudaErrorStreamCaptureUnsupported, "a call cannot be part of a graph", ""},
    {cudaErrorUnknown, "an unknown error", kNewProcess},
}};

}  // namespace

Fault explain(cudaError_t error, const RuntimeVersions& versions) {
  if (error == cudaErrorInsufficientDriver && versions.driver == kNoVersion) {
    return {.sentence = "no NVIDIA driver is here",
            .mend =
                "install one; in a container start it with --gpus all; or measure CPU cores "
                "with --backend host"};
  }
  const auto* entry = std::find_if(kEntries.begin(), kEntries.end(),
                                   [error](const Entry& known) { return known.error == error; });
  if (entry == kEntries.end()) return {.sentence = cudaGetErrorString(error), .mend = {}};
  Fault fault{.sentence = std::string(entry->sentence), .mend = std::string(entry->mend)};
  if (entry->mend == kNewDriver) {
    fault.sentence += fmt::format(" (the driver supports CUDA {}, this runtime is {})",
                                  versions.driver, versions.runtime);
  }
  return fault;
}

std::string fault_text(const char* what, cudaError_t error, const Fault& fault) {
  std::string text = fmt::format("{}: {} ({}, {})", what, fault.sentence, static_cast<int>(error),
                                 cudaGetErrorName(error));
  if (!fault.mend.empty()) text += "\nTo mend it: " + fault.mend;
  return text;
}

}  // namespace splitbench::cuda
