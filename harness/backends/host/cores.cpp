#include "harness/backends/host/cores.h"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "harness/backends/host/control_group.h"
#include "harness/error.h"

namespace splitbench::host {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

Topology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw HarnessError("hwloc: no topology could be made");
  Topology topology(raw);
  // What this process may use, not what the machine has.
  hwloc_topology_set_flags(
      raw, HWLOC_TOPOLOGY_FLAG_IS_THISSYSTEM | HWLOC_TOPOLOGY_FLAG_RESTRICT_TO_CPUBINDING);
  if (hwloc_topology_load(raw) != 0) throw HarnessError("hwloc: the topology could not be read");
  return topology;
}

// The outermost data cache above a core; null where none is known.
hwloc_obj_t last_level_cache(hwloc_obj_t core) {
  hwloc_obj_t found = nullptr;
  for (hwloc_obj_t above = core->parent; above != nullptr; above = above->parent) {
    if (hwloc_obj_type_is_dcache(above->type) != 0) found = above;
  }
  return found;
}

}  // namespace

int CpuInventory::usable() const {
  const int count = static_cast<int>(cores.size());
  return quota_cores > 0 ? std::min(count, static_cast<int>(std::floor(quota_cores))) : count;
}

CpuInventory read_cpus() {
  const Topology topology = load_topology();
  hwloc_topology_t t = topology.get();
  CpuInventory inventory;
  const int cores = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE);
  for (int i = 0; i < cores; ++i) {
    hwloc_obj_t core = hwloc_get_obj_by_type(t, HWLOC_OBJ_CORE, static_cast<unsigned>(i));
    const int first_thread = hwloc_bitmap_first(core->cpuset);
    if (first_thread < 0) continue;
    hwloc_obj_t cache = last_level_cache(core);
    if (cache != nullptr) {
      const Bytes size(static_cast<double>(cache->attr->cache.size));
      inventory.last_level_cache = std::max(inventory.last_level_cache, size);
    }
    inventory.cores.push_back({.os_index = first_thread,
                               .numa_node = hwloc_bitmap_first(core->nodeset),
                               .cache = cache == nullptr ? -1 : static_cast<int>(cache->gp_index)});
  }
  hwloc_obj_t machine = hwloc_get_root_obj(t);
  inventory.memory = Bytes(static_cast<double>(machine->total_memory));
  hwloc_obj_t package = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
  const char* model =
      package == nullptr ? nullptr : hwloc_obj_get_info_by_name(package, "CPUModel");
  inventory.model = model == nullptr ? "CPU of unknown model" : model;
  inventory.quota_cores = quota_cores("/");
  return inventory;
}

void bind_to(const Core& core) {
  const Topology topology = load_topology();
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  hwloc_bitmap_only(set, static_cast<unsigned>(core.os_index));
  const int bound = hwloc_set_cpubind(topology.get(), set, HWLOC_CPUBIND_PROCESS);
  // Memory follows the first touch where binding it is not supported; that is as good here.
  hwloc_set_membind(topology.get(), set, HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_PROCESS);
  hwloc_bitmap_free(set);
  if (bound != 0) {
    throw HarnessError(fmt::format("this process may not be bound to CPU {}", core.os_index));
  }
}

}  // namespace splitbench::host
