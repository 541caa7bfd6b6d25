#include "harness/backends/host/backend.h"

#include <cblas.h>
#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <set>

#include "harness/backends/host/cores.h"
#include "harness/backends/host/memory.h"
#include "harness/backends/host/node.h"
#include "harness/rank/shared_region.h"

namespace splitbench::host {
namespace {

// The core of each rank: those asked for, else the first ones, around again where they are shared.
std::vector<Core> seats(const CpuInventory& cpus, const DeviceRequest& request) {
  std::vector<Core> chosen;
  for (int rank = 0; rank < request.ranks; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    const std::size_t index = request.devices.empty()
                                  ? at % cpus.cores.size()
                                  : static_cast<std::size_t>(request.devices[at]);
    chosen.push_back(cpus.cores.at(index));
  }
  return chosen;
}

bool shares_cores(const CpuInventory& cpus, const DeviceRequest& request) {
  std::set<int> distinct;
  for (const Core& core : seats(cpus, request)) distinct.insert(core.os_index);
  return static_cast<int>(distinct.size()) < request.ranks || cpus.usable() < request.ranks;
}

std::string link_kind(const Core& a, const Core& b) {
  if (a.os_index == b.os_index) return "same core";
  if (a.cache >= 0 && a.cache == b.cache) return "shared last-level cache";
  return a.numa_node == b.numa_node ? "same NUMA node" : "across NUMA nodes";
}

// The system's setting, in brackets among those there are ("always [madvise] never"); "unknown"
// where it cannot be read.
std::string huge_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string word;
  while (file >> word) {
    if (word.front() == '[') return word.substr(1, word.size() - 2);
  }
  return "unknown";
}

// Weights in pages of 2 MiB where the system grants them to who asks (glibc 2.35 and newer ask):
// with small pages a share's time depends on where a process happens to find its memory.
std::string huge_page_tunable() {
  const char* users = std::getenv("GLIBC_TUNABLES");
  return std::string("GLIBC_TUNABLES=glibc.malloc.hugetlb=1") +
         (users == nullptr ? "" : std::string(":") + users);
}

NodeDescription describe(const CpuInventory& cpus, const DeviceRequest& request) {
  NodeDescription node;
  node.backend = "host";
  const std::vector<Core> cores = seats(cpus, request);
  for (const Core& core : cores) {
    node.devices.push_back({.name = fmt::format("CPU core {} ({})", core.os_index, cpus.model),
                            .uuid = std::nullopt,
                            .memory = cpus.memory,
                            .more = {{"cpu", core.os_index},
                                     {"numa_node", core.numa_node},
                                     {"last_level_cache", core.cache}}});
  }
  for (std::size_t a = 0; a < cores.size(); ++a) {
    for (std::size_t b = a + 1; b < cores.size(); ++b) {
      node.links.push_back(
          {.a = static_cast<int>(a),
           .b = static_cast<int>(b),
           .kind = link_kind(cores[a], cores[b]),
           .path = cores[a].os_index == cores[b].os_index ? Path::same_device : Path::host_memory});
    }
  }
  node.software = {{"openblas", openblas_get_config()},
                   {"openblas_kernel", openblas_get_corename()},
                   {"hwloc", HWLOC_VERSION},
                   {"huge_pages", huge_pages()}};
  if (shares_cores(cpus, request)) {
    node.notes.push_back(
        "ranks share CPU cores (--oversubscribe): these times say little about a split");
  }
  return node;
}

// What the machine lacks for the request, with the line that mends it; nothing where it has all.
std::optional<CannotRunHere> lack_of_cores(const CpuInventory& cpus, const DeviceRequest& request) {
  if (cpus.cores.empty()) return CannotRunHere("no CPU core is visible", "check the CPU affinity");
  const int count = static_cast<int>(cpus.cores.size());
  for (const int device : request.devices) {
    if (device >= 0 && device < count) continue;
    return CannotRunHere(
        fmt::format("there is no core {}; cores 0 to {} can be used", device, count - 1),
        "choose others with --devices");
  }
  if (request.oversubscribe || !shares_cores(cpus, request)) return std::nullopt;
  return CannotRunHere(
      fmt::format("{} ranks need {} CPU cores; {} can be used here{}", request.ranks, request.ranks,
                  cpus.usable(),
                  cpus.quota_cores > 0 ? fmt::format(" (CPU quota {:g})", cpus.quota_cores) : ""),
      "give the container or process more cores, or add --oversubscribe (labelled)");
}

std::string unsupported(const Protocol& protocol, Bytes last_level_cache) {
  if (protocol.launch != Launch::automatic && protocol.launch != Launch::direct) {
    return fmt::format("launch mode '{}' exists on GPUs only; CPU cores run 'direct'",
                       name(protocol.launch));
  }
  if (protocol.cache == Cache::flushed && last_level_cache.value() == 0.0) {
    return "the size of the caches is not known here, so they cannot be flushed";
  }
  for (const Operation& point : protocol.points) {
    if (point.dtype != DataType::fp32) {
      return fmt::format("data type '{}' is not available on CPU cores; 'fp32' is",
                         name(point.dtype));
    }
    if (static_cast<std::size_t>(point.layers) >= SharedRegion::kTimesPerRank) {
      return fmt::format("{} layers are more than the {} that can be stamped", point.layers,
                         SharedRegion::kTimesPerRank - 1);
    }
  }
  return {};
}

std::size_t shared_bytes(const Protocol& protocol) {
  double largest = 64;
  for (std::size_t point = 0; point < protocol.points.size(); ++point) {
    largest = std::max(largest, message_bytes(protocol.points[point]).value());
    for (const Bytes size : sweep_sizes(protocol, point)) largest = std::max(largest, size.value());
  }
  const auto elements = static_cast<std::size_t>(largest) / sizeof(float) + 16;
  return AllReduce::shared_bytes(elements, protocol.ranks);
}

// A lack of memory is looked for last: an operation that no machine runs here is no lack.
Survey make_survey(const CpuInventory& cpus, const SurveyRequest& request) {
  Survey survey;
  std::optional<CannotRunHere> lack = lack_of_cores(cpus, request.devices);
  if (!lack) {
    survey.unsupported = unsupported(request.protocol, cpus.last_level_cache);
    if (survey.unsupported.empty()) lack = lack_of_memory(request.protocol, "/");
  }
  if (lack) {
    survey.missing = lack->reason();
    survey.mend = lack->mend();
    return survey;
  }
  survey.node = describe(cpus, request.devices);
  survey.best_launch = Launch::direct;
  survey.needs = {.processes = request.devices.ranks,
                  .shared_bytes = shared_bytes(request.protocol),
                  .environment = {"OPENBLAS_NUM_THREADS=1", huge_page_tunable()}};
  return survey;
}

class HostBackend final : public Backend {
 public:
  Survey survey(const SurveyRequest& request, const Doing& doing) const override {
    doing("hwloc: asking for CPU cores");
    return make_survey(read_cpus(), request);
  }

  std::unique_ptr<Node> open(const RankSeat& seat) const override {
    const CpuInventory cpus = read_cpus();
    const Core core = seats(cpus, seat.request).at(static_cast<std::size_t>(seat.rank));
    return std::make_unique<HostNode>(seat, core, shares_cores(cpus, seat.request),
                                      cpus.last_level_cache);
  }
};

}  // namespace

const Backend* backend() {
  static const HostBackend host;
  return &host;
}

}  // namespace splitbench::host
