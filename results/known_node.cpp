#include "results/known_node.h"

#include <set>
#include <utility>

#include "protocols/document.h"
#include "results/import/import.h"
#include "results/run_place.h"

namespace splitbench {
namespace {

// A run names its devices where the node has them, or, where no text of the node tells of any, all
// that it was on. Numbers that several ranks share (of processes that see one device each) are
// none.
void name_devices(const KnownRun& known_run, KnownNode& known) {
  const CollectiveRun& run = known_run.run;
  if (is_on_several_hosts(run) || run.devices.size() > kMostNodeDevices) return;
  std::set<int> seen;
  for (const RunDevice& device : run.devices) {
    const auto told = number_on(known.node, device);
    const bool is_new = told && seen.insert(*told).second;
    if (!is_new && shares_a_device(run)) continue;
    const int number = is_new ? *told : device.rank;
    if (known.described > 0 && !known.node.devices.contains(number)) continue;
    ImportedDevice& there = known.node.devices[number];
    if (!there.name.empty() || device.name.empty()) continue;
    there.name = device.name;
    there.named_by = known_run.format;
  }
}

void read_all(const TextSource& source, KnownNode& known) {
  ImportedRuns imported = read_runs(source);
  for (CollectiveRun& run : imported.runs) {
    if (run.collective != kAllReduce) continue;
    if (run.flaw) source.fail(run.flaw->line, run.flaw->text);
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
  known.described = known.node.devices.size();
  for (const KnownRun& run : known.runs) name_devices(run, known);
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
