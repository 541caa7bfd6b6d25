#include "harness/backends/host/backend.h"

#include <cblas.h>
#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "harness/backends/host/cores.h"
#include "harness/backends/host/node.h"
#include "harness/shared_region.h"

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

class HostBackend final : public Backend {
 public:
  std::string_view name() const override { return "host"; }
  std::string_view description() const override {
    return "CPU cores as devices, OpenBLAS with one thread each; real times of a CPU";
  }

  Probe probe(const DeviceRequest& request) const override {
    const CpuInventory cpus = read_cpus();
    if (cpus.cores.empty())
      return {.reason = "no CPU core is visible", .mend = "check the CPU affinity"};
    const int count = static_cast<int>(cpus.cores.size());
    for (const int device : request.devices) {
      if (device < 0 || device >= count) {
        return {.reason = fmt::format("there is no core {}; cores 0 to {} can be used", device,
                                      count - 1),
                .mend = "choose others with --devices"};
      }
    }
    if (!request.oversubscribe && shares_cores(cpus, request)) {
      return {
          .reason = fmt::format(
              "{} ranks need {} CPU cores; {} can be used here{}", request.ranks, request.ranks,
              cpus.usable(),
              cpus.quota_cores > 0 ? fmt::format(" (CPU quota {:g})", cpus.quota_cores) : ""),
          .mend = "give the container or process more cores, or add --oversubscribe (labelled)"};
    }
    return {.available = true, .reason = {}, .mend = {}};
  }

  NodeDescription describe(const DeviceRequest& request) const override {
    const CpuInventory cpus = read_cpus();
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
        node.links.push_back({.a = static_cast<int>(a),
                              .b = static_cast<int>(b),
                              .kind = link_kind(cores[a], cores[b]),
                              .path = cores[a].os_index == cores[b].os_index ? Path::same_device
                                                                             : Path::host_memory});
      }
    }
    node.software = {{"openblas", openblas_get_config()},
                     {"openblas_kernel", openblas_get_corename()},
                     {"hwloc", HWLOC_VERSION}};
    if (shares_cores(cpus, request)) {
      node.notes.push_back(
          "ranks share CPU cores (--oversubscribe): these times say little about a split");
    }
    return node;
  }

  std::string unsupported(const Protocol& protocol) const override {
    if (protocol.launch != Launch::automatic && protocol.launch != Launch::direct) {
      return fmt::format("launch mode '{}' exists on GPUs only; CPU cores run 'direct'",
                         splitbench::name(protocol.launch));
    }
    const CpuInventory cpus = read_cpus();
    if (protocol.cache == Cache::flushed && cpus.last_level_cache.value() == 0.0) {
      return "the size of the caches is not known here, so they cannot be flushed";
    }
    for (const Operation& point : protocol.points) {
      if (point.dtype != DataType::fp32) {
        return fmt::format("data type '{}' is not available on CPU cores; 'fp32' is",
                           splitbench::name(point.dtype));
      }
      if (static_cast<std::size_t>(point.layers) >= SharedRegion::kTimesPerRank) {
        return fmt::format("{} layers are more than the {} that can be stamped", point.layers,
                           SharedRegion::kTimesPerRank - 1);
      }
    }
    const double needed = memory_needed(protocol).value();
    const double there = cpus.memory.value();
    if (needed > 0.8 * there) {
      return fmt::format(
          "the operation needs about {:.3g} GB over {} ranks, this machine has {:.3g} GB",
          needed * 1e-9, protocol.ranks, there * 1e-9);
    }
    return {};
  }

  Launch best_launch() const override { return Launch::direct; }
  int processes(const DeviceRequest& request) const override { return request.ranks; }

  std::size_t shared_bytes(const Protocol& protocol) const override {
    double largest = 64;
    for (std::size_t point = 0; point < protocol.points.size(); ++point) {
      largest = std::max(largest, message_bytes(protocol.points[point]).value());
      for (const Bytes size : sweep_sizes(protocol, point))
        largest = std::max(largest, size.value());
    }
    const auto elements = static_cast<std::size_t>(largest) / sizeof(float) + 16;
    return AllReduce::shared_bytes(elements, protocol.ranks);
  }

  std::vector<std::string> environment() const override { return {"OPENBLAS_NUM_THREADS=1"}; }

  std::unique_ptr<Node> open(const RankSeat& seat) const override {
    const CpuInventory cpus = read_cpus();
    const Core core = seats(cpus, seat.request).at(static_cast<std::size_t>(seat.rank));
    return std::make_unique<HostNode>(seat, core, shares_cores(cpus, seat.request),
                                      cpus.last_level_cache);
  }

 private:
  static std::string link_kind(const Core& a, const Core& b) {
    if (a.os_index == b.os_index) return "same core";
    if (a.cache >= 0 && a.cache == b.cache) return "shared last-level cache";
    return a.numa_node == b.numa_node ? "same NUMA node" : "across NUMA nodes";
  }

  // All points live at once, but those that differ in tokens alone share their weights: whole and
  // shard. The reference of one layer in float64 takes five times a layer's weights for a while.
  static Bytes memory_needed(const Protocol& protocol) {
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> shapes;
    Bytes kept{};
    Bytes largest_check{};
    for (const Operation& op : protocol.points) {
      const Bytes weights = weight_bytes(op);
      if (shapes.insert({op.d_model, op.d_ff, op.layers}).second) {
        kept += weights * (1.0 + 1.0 / protocol.ranks);
      }
      const double hidden = static_cast<double>(op.tokens) * static_cast<double>(op.d_ff);
      kept += Bytes(4.0 * hidden) + message_bytes(op) * 8.0;
      largest_check = std::max(
          largest_check, weights * (5.0 / static_cast<double>(op.layers)) + Bytes(32.0 * hidden));
    }
    return (kept + largest_check) * protocol.ranks;
  }
};

}  // namespace

std::unique_ptr<Backend> make_backend() {
  return std::make_unique<HostBackend>();
}

}  // namespace splitbench::host
