#include "harness/backends/cuda/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "harness/backends/cuda/checks.h"
#include "harness/backends/cuda/communicator.h"
#include "harness/backends/cuda/environment.h"
#include "harness/backends/cuda/faults.h"
#include "harness/backends/cuda/health.h"
#include "harness/backends/cuda/matmul.h"
#include "harness/backends/cuda/memory_need.h"
#include "harness/backends/cuda/node.h"
#include "harness/backends/cuda/release.h"
#include "harness/backends/cuda/runtime.h"
#include "harness/backends/cuda/seats.h"
#include "harness/rank/shared_region.h"

namespace splitbench::cuda {
namespace {

constexpr const char* kSharedGpu =
    "ranks share a GPU (--oversubscribe): times say nothing of a split over GPUs";

std::optional<CannotRunHere> lack_of_devices(const DeviceRequest& request,
                                             const DeviceCount& found) {
  if (found.count == 0) {
    const Fault fault = explain(found.error, runtime_versions());
    return CannotRunHere(fault.sentence, fault.mend.empty() ? "check 'nvidia-smi'" : fault.mend);
  }
  for (const int device : request.devices) {
    if (device >= 0 && device < found.count) continue;
    return CannotRunHere(
        fmt::format("there is no device {}; devices 0 to {} are visible", device, found.count - 1),
        "choose others with --devices");
  }
  if (request.oversubscribe) return std::nullopt;
  if (share_a_device(request.devices)) {
    return CannotRunHere("a device is named twice; NCCL takes one rank per device",
                         "name different ones with --devices, or, to see whether results are "
                         "right and nothing else, add --oversubscribe");
  }
  if (found.count < request.ranks) {
    return CannotRunHere(
        fmt::format("{} ranks need {} devices; {} {} visible", request.ranks, request.ranks,
                    found.count, found.count == 1 ? "is" : "are"),
        found.count < 2
            ? "a split takes two GPUs: use a machine that has them, and check "
              "CUDA_VISIBLE_DEVICES; to see whether results are right and nothing else, add "
              "--oversubscribe"
            : fmt::format("use --ranks {}, or check CUDA_VISIBLE_DEVICES", found.count));
  }
  return std::nullopt;
}

// Two numbers of bytes in GB, with as many digits as tell them apart.
std::pair<std::string, std::string> told_apart(Bytes a, Bytes b) {
  const auto text = [](Bytes bytes, int digits) {
    return fmt::format("{:.{}g} GB", bytes.value() * 1e-9, digits);
  };
  int digits = 3;
  while (digits < 12 && text(a, digits) == text(b, digits)) ++digits;
  return {text(a, digits), text(b, digits)};
}

// What ranks on one device need adds up.
std::optional<CannotRunHere> lack_of_memory(const Protocol& protocol,
                                            const std::vector<DeviceInfo>& devices,
                                            const std::vector<int>& seats) {
  for (const DeviceInfo& device : devices) {
    const int sharers = ranks_on(device.index, seats);
    const Bytes needed = rank_needed(protocol, device) * sharers;
    if (needed <= device.memory) continue;
    const auto [need, room] = told_apart(needed, device.memory);
    const std::string shares = sharers == 1
                                   ? fmt::format("one of {} shares", protocol.ranks)
                                   : fmt::format("{} of {} shares", sharers, protocol.ranks);
    return CannotRunHere(fmt::format("{} of all operations {} {}; {} has {}", shares,
                                     sharers == 1 ? "needs" : "need", need, device.name, room),
                         "choose smaller operations or fewer, or more ranks");
  }
  return std::nullopt;
}

std::string unsupported(const Protocol& protocol, const std::vector<DeviceInfo>& devices) {
  if (protocol.launch == Launch::direct) {
    return "launch mode 'direct' exists on CPU cores only; GPUs run 'graph' or 'eager'";
  }
  constexpr int kAmpere = 8;  // the first with bf16 and tf32 products
  for (const Operation& point : protocol.points) {
    const bool new_type = point.dtype == DataType::bf16 || point.dtype == DataType::tf32;
    const auto old = std::find_if(devices.begin(), devices.end(),
                                  [](const DeviceInfo& device) { return device.major < kAmpere; });
    if (new_type && old != devices.end()) {
      return fmt::format("data type '{}' takes compute capability 8.0; {} has {}.{}",
                         name(point.dtype), old->name, old->major, old->minor);
    }
    // A row of times holds the whole and each layer; one place stays for the clock.
    if (static_cast<std::size_t>(point.layers) + 2 > SharedRegion::kTimesPerRank) {
      return fmt::format("{} layers are more than the {} that can be stamped", point.layers,
                         SharedRegion::kTimesPerRank - 2);
    }
  }
  return {};
}

Device describe(const DeviceInfo& device) {
  return {.name = device.name,
          .uuid = device.uuid,
          .memory = device.memory,
          .more = {{"index", device.index},
                   {"pci_bus_id", device.pci_bus_id},
                   {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
                   {"multiprocessors", device.multiprocessors},
                   {"last_level_cache_bytes",
                    static_cast<std::int64_t>(device.last_level_cache.value())}}};
}

// The runtime knows whether peers can reach each other, not by which way.
Link describe_link(const std::vector<DeviceInfo>& devices, std::size_t a, std::size_t b) {
  Link link{.a = static_cast<int>(a),
            .b = static_cast<int>(b),
            .kind = "same device",
            .path = Path::same_device};
  if (devices[a].index == devices[b].index) return link;
  const bool peers = can_access_peer(devices[a].index, devices[b].index) &&
                     can_access_peer(devices[b].index, devices[a].index);
  link.kind = peers ? "peer access" : "no peer access";
  link.path = Path::unknown;
  return link;
}

NodeDescription describe(const std::vector<DeviceInfo>& devices, const SessionNeeds& needs) {
  NodeDescription node;
  node.backend = "cuda";
  for (const DeviceInfo& device : devices) node.devices.push_back(describe(device));
  for (std::size_t a = 0; a < devices.size(); ++a) {
    for (std::size_t b = a + 1; b < devices.size(); ++b) {
      node.links.push_back(describe_link(devices, a, b));
    }
  }
  const RuntimeVersions versions = runtime_versions();
  node.software = {{"cuda_driver", versions.driver},
                   {"cuda_runtime", versions.runtime},
                   {"cuda_runtime_library", runtime_path()},
                   {"cublaslt", MatmulLibrary::version()},
                   {"cublaslt_library", MatmulLibrary::path()},
                   {"nccl", Communicator::version()},
                   {"nccl_library", Communicator::path()},
                   {"environment", recorded_environment()},
                   {"rank_environment", needs.environment}};
  if (stand_in_truth()) {
    node.times_are = TimesAre::stand_in;
    node.notes.push_back(
        "CPU libraries took the place of the vendor's: no time here is that of a GPU");
  }
  return node;
}

// By which NVML finds them.
std::vector<std::string> addresses_of(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> addresses;
  for (const DeviceInfo& device : devices) addresses.push_back(device.pci_bus_id);
  return addresses;
}

void refuse(Survey& survey, const CannotRunHere& lack) {
  survey.missing = lack.reason();
  survey.mend = lack.mend();
}

class CudaBackend final : public Backend {
 public:
  Survey survey(const SurveyRequest& request, const Doing& doing) const override {
    Survey survey;
    doing("CUDA runtime: counting devices");
    const DeviceCount found = count_devices();
    std::optional<CannotRunHere> lack = refused_variable();
    if (!lack) lack = lack_of_devices(request.devices, found);
    if (lack) {
      refuse(survey, *lack);
      return survey;
    }
    const std::vector<int> seats = seats_of(request.devices, found.count);
    const std::vector<DeviceInfo> devices = describe_devices(seats);
    survey.unsupported = unsupported(request.protocol, devices);
    if (survey.unsupported.empty()) lack = lack_of_memory(request.protocol, devices, seats);
    for (const DeviceInfo& device : devices) {
      if (lack) break;
      doing(fmt::format("CUDA runtime: a first kernel on {}", device.name));
      lack = lack_of_code(device);
    }
    if (lack) {
      refuse(survey, *lack);
      return survey;
    }
    doing("CUDA runtime, cuBLASLt, NCCL: versions and links");
    survey.needs = {.processes = request.devices.ranks,
                    .shared_bytes = Release::kSharedBytes,
                    .environment = rank_environment(share_a_device(seats)),
                    .watched = addresses_of(devices)};
    survey.node = describe(devices, survey.needs);
    if (share_a_device(seats)) survey.node.no_verdict = kSharedGpu;
    survey.best_launch = Launch::graph;
    return survey;
  }

  std::unique_ptr<Node> open(const RankSeat& seat) const override {
    const DeviceCount found = count_devices();
    check(found.error, "counting devices");
    const std::vector<int> seats = seats_of(seat.request, found.count);
    const int device = seats.at(static_cast<std::size_t>(seat.rank));
    if (share_a_device(seats)) claim_own_host(seat.rank);
    return std::make_unique<CudaNode>(seat, device, ranks_on(device, seats));
  }

  void examine(Risk risk, const RankSeat& seat, Examiner& examiner) const override {
    switch (risk) {
      case Risk::runtime:
        return examine_runtime(seat.request, examiner);
      case Risk::peers:
        return examine_peers(seat.request, examiner);
      case Risk::collective:
      case Risk::staged:
        return examine_collective(risk, seat, examiner);
      case Risk::copies:
        return measure_copies(seat.request, examiner);
      case Risk::surroundings:
      case Risk::management:
        break;  // need no module
    }
  }

  std::unique_ptr<HealthWatch> watch_health(
      const std::vector<std::string>& devices) const override {
    return std::make_unique<NvmlWatch>(Nvml(), devices);
  }

 private:
  // A device that cannot run this program, or does not run anything.
  static std::optional<CannotRunHere> lack_of_code(const DeviceInfo& device) {
    const cudaError_t error = try_device(device.index);
    if (error == cudaSuccess) return std::nullopt;
    const Fault fault = explain(error, runtime_versions());
    return CannotRunHere(fmt::format("{} of compute capability {}.{} ({}): {}", device.name,
                                     device.major, device.minor, device.pci_bus_id, fault.sentence),
                         fault.mend.empty() ? "choose others with --devices" : fault.mend);
  }
};

}  // namespace

const Backend* backend() {
  static const CudaBackend cuda;
  return &cuda;
}

}  // namespace splitbench::cuda
