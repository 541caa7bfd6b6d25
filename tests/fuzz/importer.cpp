// Any bytes as a paste: an importer reads them or refuses them, and does nothing else. Which one,
// and what follows it, is defined where this file is compiled: SPLITBENCH_FUZZ_READ,
// SPLITBENCH_FUZZ.
#include <cstddef>
#include <cstdint>
#include <string>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "results/fit_document.h"
#include "results/import/all_reduce_table.h"
#include "results/import/import.h"
#include "results/import/imported_node_json.h"
#include "results/import/nccl_tests.h"
#include "results/import/nccl_tests_json.h"
#include "results/import/nccl_topology_xml.h"
#include "results/import/nvbandwidth.h"
#include "results/import/nvidia_smi.h"
#include "results/import/p2p_bandwidth_latency.h"
#include "results/import/topology_matrix.h"
#include "results/import/topology_p2p.h"
#include "results/inspection.h"
#include "results/normality.h"

namespace splitbench {
namespace {

// What follows an importer of runs: the fit of what it read, and its document.
void fuzz_runs(const TextSource& source, std::vector<CollectiveRun> (*read)(const TextSource&)) {
  FitRequest request;
  request.inputs.push_back({"f", {"f", read(source)}});
  request.at = Bytes(1e6);
  (void)fit_document(request).dump();
}

// And of a node: its document, what is usual of its links, and the promise made of it.
void fuzz_node(const TextSource& source, void (*read)(const TextSource&, ImportedNode&)) {
  KnownNode known;
  read(source, known.node);
  settle(known.node);
  (void)to_json(known.node, {"f"}).dump();
  (void)to_json(normality_of(known, gpu_of(known, {}, ""))).dump();
  (void)to_json(promise_of(known, {})).dump();
}

}  // namespace
}  // namespace splitbench

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace splitbench;
  try {
    const TextSource source(std::string(data, data + size), "f");
    SPLITBENCH_FUZZ(source, SPLITBENCH_FUZZ_READ);
  } catch (const BadDocument&) {
  } catch (const InvalidInput&) {
  }
  return 0;
}
