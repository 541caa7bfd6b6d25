#include "results/known_node.h"

#include <set>
#include <utility>

#include "protocols/document.h"
#include "results/import/import.h"

namespace splitbench {
namespace {

// A run names its devices by rank: the same numbers only on one node.
void name_devices(const CollectiveRun& run, const std::string& format, ImportedNode& node) {
  std::set<std::string> hosts;
  for (const RunDevice& device : run.devices) hosts.insert(device.host);
  if (hosts.size() > 1 || run.devices.size() > kMostNodeDevices) return;
  for (const RunDevice& device : run.devices) {
    ImportedDevice& known = node.devices[device.rank];
    if (!known.name.empty() || device.name.empty()) continue;
    known.name = device.name;
    known.named_by = format;
  }
}

void read_all(const TextSource& source, KnownNode& known) {
  ImportedRuns imported = read_runs(source);
  for (CollectiveRun& run : imported.runs) {
    if (run.collective != kAllReduce) continue;
    if (run.flaw) source.fail(run.flaw->line, run.flaw->text);
    name_devices(run, imported.format, known.node);
    known.runs.push_back({source.file(), imported.format, std::move(run)});
  }
}

}  // namespace

KnownNode read_known_node(const std::vector<TextSource>& sources) {
  KnownNode known;
  for (const TextSource& source : sources) {
    known.files.push_back(source.file());
    const bool runs = holds_runs(source);
    if (runs) read_all(source, known);
    if (!runs || holds_node(source)) read_node(source, known.node);
  }
  settle(known.node);
  return known;
}

Answer<GpuModel> gpu_of(const KnownNode& known, const std::vector<GpuModel>& catalogue,
                        const std::string& named) {
  if (!named.empty()) return find_gpu(catalogue, {.name = named});
  const ImportedDevice* first = nullptr;
  for (const auto& [number, device] : known.node.devices) {
    if (device.name.empty()) continue;
    if (first == nullptr) first = &device;
    if (device.name != first->name) {
      return Answer<GpuModel>::none("the devices are of several models, " + first->name + " and " +
                                    device.name);
    }
  }
  if (first == nullptr) {
    return Answer<GpuModel>::none("no text says what the devices are called");
  }
  return find_gpu(catalogue, {first->name, first->name_is_cut, first->memory});
}

}  // namespace splitbench
