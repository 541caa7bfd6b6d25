#include "results/import/import.h"

#include <fmt/format.h>

#include <array>

#include "results/import/all_reduce_table.h"
#include "results/import/json_part.h"
#include "results/import/nccl_tests.h"
#include "results/import/nccl_tests_json.h"
#include "results/import/nccl_topology_xml.h"
#include "results/import/nvbandwidth.h"
#include "results/import/nvidia_smi.h"
#include "results/import/p2p_bandwidth_latency.h"
#include "results/import/topology_document.h"
#include "results/import/topology_matrix.h"
#include "results/import/topology_p2p.h"

namespace splitbench {
namespace {

struct NodeFormat {
  bool (*is_there)(const TextSource&);
  void (*read)(const TextSource&, ImportedNode&);
};

// Documents that are nothing else besides.
constexpr std::array kWhole{
    NodeFormat{looks_like_nccl_topology_xml, read_nccl_topology_xml},
    NodeFormat{looks_like_nvbandwidth_json, read_nvbandwidth_json},
    NodeFormat{looks_like_topology_document, read_topology_document},
};

// What one paste may hold several of, in the order in which a later one knows names better.
constexpr std::array kParts{
    NodeFormat{looks_like_nvidia_smi_table, read_nvidia_smi_table},
    NodeFormat{looks_like_nvidia_smi_query, read_nvidia_smi_query},
    NodeFormat{looks_like_nvlink_status, read_nvlink_status},
    NodeFormat{looks_like_topology_matrix, read_topology_matrix},
    NodeFormat{looks_like_topology_p2p, read_topology_p2p},
    NodeFormat{looks_like_p2p_bandwidth_latency, read_p2p_bandwidth_latency},
    NodeFormat{looks_like_nvbandwidth, read_nvbandwidth},
};

constexpr const char* kNodeFormats =
    "expected what nvidia-smi (the table, -q, topo -m, topo -p2p, nvlink -s), "
    "p2pBandwidthLatencyTest or nvbandwidth print, an NCCL topology as XML, or the document of "
    "'splitbench topology --format json'";
constexpr const char* kRunFormats =
    "expected what nccl-tests or rccl-tests print, their JSON, or a table with the columns "
    "message_bytes and latency_us between tabs";

// What a line of a text of no use holds, and what that text is.
struct KnownLine {
  const char* sign;
  const char* reason;
};
constexpr std::array kUseless{
    KnownLine{"NVIDIA-SMI has failed",
              "nvidia-smi failed there: it does not reach the driver. Mend that first (is the "
              "module loaded: lsmod | grep nvidia; else install the driver, or reboot), then paste "
              "what it prints"},
    KnownLine{
        "Failed to initialize NVML",
        "nvidia-smi failed there: its library does not start. Mend that first (of another "
        "driver than the module that is loaded: reboot; in a container: start it again), then "
        "paste what it prints"},
    KnownLine{"No devices were found",
              "nvidia-smi found no device there: expected a node with a GPU that its driver sees "
              "(dmesg says why one is not)"},
    KnownLine{"ROCm System Management Interface",
              "what rocm-smi prints is not read: expected, of AMD's GPUs, an NCCL topology as XML "
              "(NCCL_TOPO_DUMP_FILE, which RCCL has too)"},
};

// Known, and of no use to either.
void refuse_others(const TextSource& source, const std::string& expected) {
  for (const TextLine& line : source.lines()) {
    for (const KnownLine& known : kUseless) {
      if (line.text.find(known.sign) != std::string::npos) source.fail(line.number, known.reason);
    }
  }
  if (has_json_key(source, "benchmarks") && has_json_key(source, "context")) {
    source.fail(1, "JSON of Google Benchmark: times of functions; " + expected);
  }
  if (has_json_key(source, "identifier") && has_json_key(source, "benchmark")) {
    json_part(source);  // where it is cut, that is the reason
    source.fail(1, "JSON of a version of nccl-tests that was never released; " + expected);
  }
}

// Adds what the format says, and which devices it names.
void read_format(const NodeFormat& format, const TextSource& source, ImportedNode& node) {
  const auto before = node.devices;
  format.read(source, node);
  for (auto& [number, device] : node.devices) {
    const auto known = before.find(number);
    const std::string name = known == before.end() ? "" : known->second.name;
    if (device.name != name) device.named_by = node.formats.back();
  }
}

// Whether there was one.
bool read_formats(const TextSource& source, ImportedNode& node) {
  for (const NodeFormat& format : kWhole) {
    if (!format.is_there(source)) continue;
    read_format(format, source, node);
    return true;
  }
  const std::size_t before = node.formats.size();
  for (const NodeFormat& format : kParts) {
    if (format.is_there(source)) read_format(format, source, node);
  }
  return node.formats.size() > before;
}

}  // namespace

bool holds_runs(const TextSource& source) {
  return looks_like_nccl_tests_json(source) || looks_like_nccl_tests(source) ||
         looks_like_all_reduce_table(source);
}

bool holds_node(const TextSource& source) {
  for (const NodeFormat& format : kWhole) {
    if (format.is_there(source)) return true;
  }
  for (const NodeFormat& format : kParts) {
    if (format.is_there(source)) return true;
  }
  return false;
}

void read_node(const TextSource& source, ImportedNode& node) {
  if (read_formats(source, node)) {
    if (node.devices.size() <= kMostNodeDevices) return;
    source.fail(1, fmt::format("{} devices; expected one node, of {} at most", node.devices.size(),
                               kMostNodeDevices));
  }
  refuse_others(source, kNodeFormats);
  if (holds_runs(source)) {
    source.fail(
        1, std::string("times of a collective, which 'splitbench fit' reads; ") + kNodeFormats);
  }
  source.fail(1, kNodeFormats);
}

ImportedRuns read_runs(const TextSource& source) {
  if (looks_like_nccl_tests_json(source)) {
    return {.format = "nccl-tests JSON", .runs = read_nccl_tests_json(source)};
  }
  if (looks_like_all_reduce_table(source)) {
    return {.format = "table", .runs = read_all_reduce_table(source)};
  }
  if (looks_like_nccl_tests(source)) {
    return {.format = "nccl-tests", .runs = read_nccl_tests(source)};
  }
  refuse_others(source, kRunFormats);
  if (holds_node(source)) {
    source.fail(1, std::string("a node, which 'splitbench topology --from' reads; ") + kRunFormats);
  }
  source.fail(1, kRunFormats);
}

}  // namespace splitbench
