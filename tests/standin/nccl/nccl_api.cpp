// Exported: the part of NCCL that the stand-in has. Communicators are blocking.
#include <nccl.h>

#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/standin/device.h"
#include "tests/standin/fault.h"
#include "tests/standin/nccl/communicator.h"
#include "tests/standin/nccl/group.h"
#include "tests/standin/nccl/reduction.h"
#include "tests/standin/scenario.h"
#include "tests/standin/shared_state.h"
#include "tests/standin/stream.h"

namespace splitbench::standin {
namespace {

thread_local std::string last_error;

ncclResult_t failed(ncclResult_t result, const std::string& why) {
  last_error = why;
  return result;
}

// What the real one takes for the identity of the host: the variable, or the host's own name, the
// same for all processes here.
std::uint64_t host_of_this_process() {
  const char* name = std::getenv("NCCL_HOSTID");
  return std::hash<std::string_view>()(name == nullptr ? "" : name);
}

// Joins at once and waits for the others: now, or at the end of the group.
ncclResult_t join(ncclComm_t* handle, int ranks, const ncclUniqueId& id, int rank, int device) {
  if (environment_error() != cudaSuccess) {
    return failed(ncclUnhandledCudaError, "no device can be used here");
  }
  if (handle == nullptr) return failed(ncclInvalidArgument, "nowhere to put the communicator");
  if (ranks < 1 || ranks > kMostRanks || rank < 0 || rank >= ranks) {
    return failed(ncclInvalidArgument, "rank " + std::to_string(rank) + " of " +
                                           std::to_string(ranks) + " does not exist");
  }
  if (strike("hang-in-init", device) != nullptr) wait_until([] { return false; });
  std::shared_ptr<Communicator> communicator;
  try {
    communicator = std::make_shared<Communicator>(id, rank, ranks, device, host_of_this_process());
  } catch (const std::exception& error) {
    return failed(ncclSystemError, error.what());
  }
  return submit({.start = [handle, communicator, rank, ranks, device] {
    communicator->wait_for_all();
    if (communicator->clique().has_duplicate_device()) {
      return failed(ncclInvalidUsage,
                    "Duplicate GPU detected: two ranks of one host use the same device");
    }
    take_seat(device, {.rank = rank, .ranks = ranks});
    *handle = new ncclComm{communicator};
    return ncclSuccess;
  }});
}

constexpr unsigned kConfigMagic = 0xcafebeef;      // NCCL_CONFIG_INITIALIZER
constexpr unsigned kSimulationMagic = 0x74685283;  // NCCL_SIM_INFO_INITIALIZER

ncclResult_t enqueue_all_reduce(const std::shared_ptr<Communicator>& communicator,
                                const AllReduceCall& call, cudaStream_t stream) {
  const std::size_t bytes = call.what.count * size_of(call.what.type);
  const cudaError_t error =
      enqueue(stream, {Kind::collective, "all_reduce " + std::to_string(bytes) + " bytes",
                       [communicator, call](Turn& turn) { communicator->all_reduce(turn, call); }});
  return error == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}

}  // namespace
}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (id == nullptr) return ncclInvalidArgument;
  try {
    *id = Clique::make();
  } catch (const std::exception& error) {
    return failed(ncclSystemError, error.what());
  }
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* handle, int ranks, ncclUniqueId id, int rank) {
  return join(handle, ranks, id, rank, current_device());
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* handle, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (config != nullptr && config->magic != kConfigMagic) {
    return failed(ncclInvalidArgument, "the configuration was not initialised");
  }
  if (config != nullptr && config->blocking == 0) {
    return failed(ncclInvalidUsage, "the stand-in's communicators are blocking");
  }
  return join(handle, ranks, id, rank, current_device());
}

ncclResult_t ncclCommInitAll(ncclComm_t* handles, int ranks, const int* devices) {
  if (handles == nullptr || ranks < 1 || ranks > static_cast<int>(visible_devices().size())) {
    return ncclInvalidArgument;
  }
  ncclUniqueId id;
  ncclResult_t result = ncclGetUniqueId(&id);
  begin_group();
  for (int rank = 0; rank < ranks && result == ncclSuccess; ++rank) {
    const int ordinal = devices == nullptr ? rank : devices[rank];
    result = join(&handles[rank], ranks, id, rank, visible_devices().at(ordinal));
  }
  double estimate = 0;
  const ncclResult_t at_end = end_group(&estimate);
  return result == ncclSuccess ? at_end : result;
}

ncclResult_t ncclCommFinalize(ncclComm_t handle) {
  return handle == nullptr ? ncclInvalidArgument : ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t handle) {
  delete handle;
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t handle) {
  if (handle == nullptr) return ncclSuccess;
  handle->communicator->abort();
  delete handle;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t handle, ncclResult_t* error) {
  if (handle == nullptr || error == nullptr) return ncclInvalidArgument;
  *error = handle->communicator->async_error();
  return ncclSuccess;
}

ncclResult_t ncclCommCount(const ncclComm_t handle, int* count) {
  if (handle == nullptr || count == nullptr) return ncclInvalidArgument;
  *count = handle->communicator->clique().ranks();
  return ncclSuccess;
}

ncclResult_t ncclCommCuDevice(const ncclComm_t handle, int* device) {
  if (handle == nullptr || device == nullptr) return ncclInvalidArgument;
  *device = handle->communicator->device();
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(const ncclComm_t handle, int* rank) {
  if (handle == nullptr || rank == nullptr) return ncclInvalidArgument;
  *rank = handle->communicator->clique().rank();
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError:
      return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError:
      return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument:
      return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage:
      return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    case ncclInProgress:
      return "NCCL operation in progress";
    default:
      return "unknown result code";
  }
}

const char* ncclGetLastError(ncclComm_t) {
  return last_error.c_str();
}

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t handle, cudaStream_t stream) {
  if (handle == nullptr) return failed(ncclInvalidArgument, "the communicator is null");
  if (size_of(type) == 0) return failed(ncclInvalidArgument, "a type that is not added up here");
  if (operation != ncclSum) return failed(ncclInvalidArgument, "the stand-in only adds up");
  const std::shared_ptr<Communicator>& communicator = handle->communicator;
  if (device_of(stream) != communicator->device()) {
    return failed(ncclInvalidUsage, "the stream is on another device than the communicator");
  }
  if (count == 0) return ncclSuccess;
  const AllReduceCall call{
      .from = from, .to = to, .what = {.count = count, .type = type, .operation = operation}};
  return submit({.start = [=] { return enqueue_all_reduce(communicator, call, stream); },
                 .estimated_seconds = scenario().launch_s + communicator->seconds_of(call.what)});
}

ncclResult_t ncclGroupStart() {
  begin_group();
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd() {
  double estimate = 0;
  return end_group(&estimate);
}

// As the real one does in the versions that were looked at, it launches the group as well. Time in
// microseconds.
ncclResult_t ncclGroupSimulateEnd(ncclSimInfo_t* info) {
  if (info != nullptr && info->magic != kSimulationMagic) return ncclInvalidArgument;
  double estimate = 0;
  const ncclResult_t result = end_group(&estimate);
  if (info != nullptr) info->estimatedTime = static_cast<float>(estimate * 1e6);
  return result;
}

}  // extern "C"
