// Real pieces of text, beside what a reader finds in them: figures read by eye and written down
// here. Skips where the samples are not; they are no part of the project.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "results/fit_document.h"
#include "results/import/import.h"

namespace splitbench {
namespace {

namespace fs = std::filesystem;

fs::path samples() {
  return fs::path(SPLITBENCH_CORPUS) / "samples";
}

#define SPLITBENCH_NEEDS_SAMPLES() \
  if (!fs::is_directory(samples())) GTEST_SKIP() << "no samples at " << samples()

std::string sample(const std::string& name) {
  return (samples() / name).string();
}

// An all-reduce in a log: its first row and its last, out of place, as printed.
struct ExpectedRun {
  const char* file;
  int ranks;
  std::size_t rows;
  double first_bytes, first_us;
  double last_bytes, last_us;
  std::size_t refused_rows;
};

const std::vector<ExpectedRun>& expected_runs() {
  constexpr double Mi = 1048576, Gi = 1024 * Mi;
  static const std::vector<ExpectedRun> list{
      {"nccl-1node-4x-cluster01-manycoll-01.txt", 4, 10, 32 * Mi, 171.88, 16 * Gi, 70128.7, 0},
      {"nccl-2node-16x-a100-sophia-b-01.txt", 16, 29, 4, 37.17, Gi, 11298, 0},
      {"nccl-2node-2x-a100pcie-truncated-01.txt", 2, 10, 8, 17.59, 4096, 22.37, 1},
      {"nccl-2node-2x-cluster01-smoke-01.txt", 2, 5, 32 * Mi, 837.47, 512 * Mi, 11591.0, 0},
      {"nccl-2node-2x-v100-pcie-socket-01.txt", 2, 25, 8, 17.39, 128 * Mi, 136001, 0},
      {"nccl-2node-8x-a100-sirius-01.txt", 8, 29, 4, 47.91, Gi, 566821, 0},
      {"nccl-2x-a100-sxm-interleaved-01.txt", 2, 3, 128 * Mi, 857.6, 512 * Mi, 2789.9, 0},
      {"nccl-2x-a40-node-p2poff-01.txt", 2, 4, Gi, 278168, 8 * Gi, 2382474, 0},
      {"nccl-2x-rtx2080ti-pcie-all_reduce-01.txt", 2, 28, 8, 12.25, Gi, 268588, 0},
      {"nccl-2x-rtx4090-k8s-kalavai-02.txt", 2, 29, 8, 10.98, 2 * Gi, 557166, 0},
      {"nccl-2x-v100pcie-azure-vm-01.txt", 2, 23, 512, 11.38, 2 * Gi, 318760, 0},
      {"nccl-4x-a100-sxm-interleaved-01.txt", 4, 3, 128 * Mi, 1144.4, 512 * Mi, 4157.4, 0},
      {"nccl-4x-rtx4090-docker-kalavai-01.txt", 4, 29, 8, 18.90, 2 * Gi, 1246110, 0},
      {"nccl-4x-rtx4090d-p2pdriver-01.txt", 4, 3, 256 * Mi, 15654, Gi, 62077, 1},
      {"nccl-8x-h100-node-a-single-row-01.txt", 8, 1, 8 * Gi, 31356, 8 * Gi, 31356, 0},
      {"nccl-8x-h200nvl-outofplace-only-01.txt", 8, 1, 32 * Gi, 875713, 32 * Gi, 875713, 0},
      {"nccl-aws-p4d-eks-mpi-tag-output-01.txt", 16, 30, 8, 179.1, 4 * Gi, 183834, 0},
      {"nccl-gh200-alps-1node-4x-01.txt", 4, 30, 8, 7.84, 4 * Gi, 19002, 0},
      {"nccl-mi300x-rccl-slurm-01.txt", 16, 32, 8, 256.5, 16 * Gi, 90115, 0},
      {"nccl-midline-rank-tags-01.txt", 24, 10, Mi, 1626.5, 512 * Mi, 193909, 2},
      {"nccl-multinode-cluster01-02.txt", 20, 10, 32 * Mi, 787.43, 16 * Gi, 333590, 0},
      {"nccl-multinode-cluster01-04.txt", 80, 10, 32 * Mi, 798.52, 16 * Gi, 105854, 0},
  };
  return list;
}

TEST(Samples, LogsHaveTheRunsThatAreInThem) {
  SPLITBENCH_NEEDS_SAMPLES();
  for (const ExpectedRun& expected : expected_runs()) {
    SCOPED_TRACE(expected.file);
    const ImportedRuns imported = read_runs(read_text_source(sample(expected.file)));
    const auto run =
        std::find_if(imported.runs.begin(), imported.runs.end(),
                     [](const CollectiveRun& r) { return r.collective == "all_reduce"; });
    ASSERT_NE(run, imported.runs.end());
    EXPECT_FALSE(run->flaw) << run->flaw->text;
    EXPECT_EQ(run->ranks, expected.ranks);
    ASSERT_EQ(run->rows.size(), expected.rows);
    EXPECT_EQ(run->rows.front().size, Bytes(expected.first_bytes));
    EXPECT_NEAR(run->rows.front().out_of_place->time.value(), 1e-6 * expected.first_us, 1e-12);
    EXPECT_EQ(run->rows.back().size, Bytes(expected.last_bytes));
    EXPECT_NEAR(run->rows.back().out_of_place->time.value(), 1e-6 * expected.last_us, 1e-9);
    EXPECT_EQ(run->refused_rows.size(), expected.refused_rows);
  }
}

// What `fit` says of a text that must not be fitted, or holds nothing to fit.
struct ExpectedRefusal {
  const char* file;
  const char* says;
};

const std::vector<ExpectedRefusal>& expected_refusals() {
  static const std::vector<ExpectedRefusal> list{
      {"nccl-16node-64x-gh200-WRONG-01.txt", ":195:1: wrong results: 35584300 wrong values"},
      {"nccl-8node-32x-gh200-WRONG-01.txt", ":130:1: wrong results: 2528 wrong values"},
      {"nccl-two-independent-runs-interleaved-01.txt", ":11:1: independent jobs"},
      {"nccl-1x-a10g-nohash-01.txt", "one rank"},
      {"nccl-nccl-ebpf-phase0-results-01.txt", "one rank"},
      {"nccl-2x-mi100-rccl-hang-01.txt", "a header and no rows"},
      {"nccl-16x-h20-oldformat-header-01.txt", "how many ranks took part is not in it"},
      {"nccl-8x-h100-node-a-single-row-01.txt", "times of 1 size;"},
      {"nccl-8x-h200nvl-outofplace-only-01.txt", "times of 1 size;"},
      {"nccl-1x-rtx5090-alltoall-na-01.txt", "no all-reduce in it, but alltoall"},
      {"nccl-2node-16x-cluster01-sendrecv-alltoall-01.txt", "but alltoall, sendrecv"},
      {"nccl-8x-superbench-alltoall-01.txt", "a collective that nothing names"},
      {"nccl-2x-rtx2080ti-nvlink-oldformat-01.txt", "no all-reduce in it"},
      {"nccl-nccl-ebpf-default-suboptimal-search-01.txt", "no all-reduce in it, but broadcast"},
      {"nccljson-unmerged-pr318-01.txt", "not JSON: unexpected end of input"},
      {"gbench-test1-run1-01.json", "Google Benchmark"},
      {"gbench-test2-run-01.json", "Google Benchmark"},
      {"gbench-test3-run1-01.json", "Google Benchmark"},
      {"gbench-test4-run1-01.json", "Google Benchmark"},
      {"gbench-test5-run1-01.json", "Google Benchmark"},
  };
  return list;
}

FitRequest request_of(const std::string& file) {
  const TextSource source = read_text_source(file);
  FitRequest request;
  request.inputs.push_back({file, read_runs(source)});
  return request;
}

TEST(Samples, FitRefusesForTheTrueReason) {
  SPLITBENCH_NEEDS_SAMPLES();
  for (const auto& [file, says] : expected_refusals()) {
    try {
      fit_document(request_of(sample(file)));
      ADD_FAILURE() << file << " was fitted";
    } catch (const BadDocument& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
}

// Whole logs of two GPUs: around each of their own sizes the local line is within 10 %.
TEST(Samples, LocalLinesOfTwoGpusAreWithinTenPercent) {
  SPLITBENCH_NEEDS_SAMPLES();
  for (const char* file :
       {"nccl-2node-2x-cluster01-smoke-01.txt", "nccl-2node-2x-v100-pcie-socket-01.txt",
        "nccl-2x-a100-sxm-interleaved-01.txt", "nccl-2x-a40-node-p2poff-01.txt",
        "nccl-2x-rtx2080ti-pcie-all_reduce-01.txt", "nccl-2x-rtx4090-k8s-kalavai-02.txt",
        "nccl-2x-v100pcie-azure-vm-01.txt"}) {
    FitRequest request = request_of(sample(file));
    double worst = 0.0;
    for (const CollectiveRow& row : request.inputs[0].imported.runs[0].rows) {
      request.at = row.size;
      const auto at = fit_document(request)["at"];
      ASSERT_FALSE(at["time_s"].is_null()) << file;
      worst = std::max({worst, at["max_relative_error"].get<double>(),
                        std::abs(at["time_s"].get<double>() / row.time().time.value() - 1.0)});
    }
    std::printf("%s: largest error %.1f %%\n", file, 100.0 * worst);
    EXPECT_LT(worst, 0.10) << file;
    const double last = request.inputs[0].imported.runs[0].rows.back().size.value();
    request.at = Bytes(2.0 * last);
    EXPECT_THROW(fit_document(request), InvalidInput) << file;
  }
}

// Devices, links (the first, and how many), matrices.
struct ExpectedNode {
  const char* file;
  std::size_t devices;
  std::size_t links;
  const char* first_link;  // "" where there is none
  const char* name;        // of the first device
  double memory_mib;       // likewise; 0 where nothing says it
  std::size_t matrices;
};

const std::vector<ExpectedNode>& expected_nodes() {
  constexpr const char* k2080 = "NVIDIA GeForce RTX 2080 SUPER";
  constexpr const char* kH100 = "NVIDIA H100 80GB HBM3";
  static const std::vector<ExpectedNode> list{
      {"topo-1x-4nic-mangled-tabs-01.txt", 1, 0, "", "", 0, 0},
      {"topo-2x-2080ti-nv-numa-na-01.txt", 2, 1, "NV3", "", 0, 0},
      {"topo-2x-rtx6000ada-wrx90-nic-01.txt", 2, 1, "PHB", "", 0, 0},
      {"topo-3x-nv4-node-siboehm-01.txt", 3, 3, "NV4", "NVIDIA RTX A6000", 0, 0},
      {"topo-4x-gb200-ansi-empty-affinity-01.txt", 4, 6, "NV18", "", 0, 0},
      {"topo-4x-rtx6000ada-4nic-01.txt", 4, 6, "NODE", "", 0, 0},
      {"topo-4x-rtxpro6000-qwen-01.txt", 4, 6, "NODE", "", 0, 0},
      {"topo-5x-phb-vllm-env-01.txt", 5, 10, "PHB", "", 0, 0},
      {"topo-8x-a100-nv12-spaced-01.txt", 8, 28, "NV12", "", 0, 0},
      {"topo-8x-h100-full-numa-01.txt", 8, 28, "NV18", "", 0, 0},
      {"topo-8x-rtxpro6000-asus-full-01.txt", 8, 28, "PIX", "", 0, 0},
      {"topo-8x-rtxpro6000-phb-sys-01.txt", 8, 28, "PHB", "", 0, 0},
      {"topo-8x-rtxpro6000-wrx90-flat-01.txt", 8, 28, "PIX", "", 0, 0},
      {"topo-linux-x86_64-nvidia-geforce-rtx-2080-super-595.71.05-01.txt", 1, 0, "", "", 0, 0},
      {"topo-linux-x86_64-nvidia-geforce-rtx-4080-super-595.71.05-01.txt", 1, 0, "", "", 0, 0},
      {"topo-linux-x86_64-nvidia-h100-mig-590.48.01-01.txt", 1, 0, "", "", 0, 0},
      {"topo-linux-x86_64-nvidia-h200-mig-590.48.01-01.txt", 1, 0, "", "", 0, 0},
      {"topo-windows-x86_64-nvidia-geforce-rtx-2080-super-610.62-01.txt", 1, 0, "", "", 0, 0},
      {"topo-nccl-docs-01.txt", 8, 28, "unknown", "", 0, 0},
      {"topop2p-2x-rtx2080ti-01.txt", 2, 1, "unknown", "", 0, 0},
      {"smi-2x-rtx2080ti-01.txt", 2, 0, "", "NVIDIA GeForce RTX 2080 Ti", 11264, 0},
      {"smi-q-linux-x86_64-nvidia-geforce-rtx-2080-super-610.57.04-01.txt", 1, 0, "", k2080, 8192,
       0},
      {"smi-q-linux-x86_64-nvidia-h100-80gb-hbm3-590.48.01-01.txt", 1, 0, "", kH100, 81559, 0},
      {"smi-q-linux-x86_64-nvidia-h200-590.48.01-01.txt", 1, 0, "", "NVIDIA H200", 143771, 0},
      {"smi-q-linux-x86_64-nvidia-l40s-595.80-01.txt", 1, 0, "", "NVIDIA L40S", 46068, 0},
      {"smi-q-windows-x86_64-nvidia-geforce-rtx-2080-super-610.62-01.txt", 1, 0, "", k2080, 8192,
       0},
      {"smi-table-linux-x86_64-nvidia-geforce-rtx-2080-super-595.71.05-01.txt", 1, 0, "",
       "NVIDIA GeForce RTX 2080 ...", 8192, 0},
      {"smi-table-linux-x86_64-nvidia-geforce-rtx-4080-super-595.71.05-01.txt", 1, 0, "",
       "NVIDIA GeForce RTX 4080 ...", 16376, 0},
      {"smi-table-linux-x86_64-nvidia-h100-mig-590.48.01-01.txt", 1, 0, "", kH100, 81559, 0},
      {"smi-table-linux-x86_64-nvidia-h200-mig-590.48.01-01.txt", 1, 0, "", "NVIDIA H200", 143771,
       0},
      {"smi-table-windows-x86_64-nvidia-geforce-rtx-2080-super-591.86-01.txt", 1, 0, "",
       "NVIDIA GeForce RTX 2080 ...", 8192, 0},
      {"nvlink-a100-8x-status-01.txt", 8, 0, "", "NVIDIA A100-SXM4-80GB", 0, 0},
      {"nvlink-linux-x86_64-nvidia-geforce-rtx-2080-super-595.71.05-01.txt", 1, 0, "", k2080, 0, 0},
      {"nvlink-linux-x86_64-nvidia-geforce-rtx-4080-super-595.71.05-01.txt", 1, 0, "",
       "NVIDIA GeForce RTX 4080 SUPER", 0, 0},
      {"nvlink-linux-x86_64-nvidia-h100-mig-590.48.01-01.txt", 1, 0, "", kH100, 0, 0},
      {"nvlink-linux-x86_64-nvidia-h200-mig-590.48.01-01.txt", 1, 0, "", "NVIDIA H200", 0, 0},
      {"nvlink-stas-errors-and-status-01.txt", 1, 0, "", kH100, 0, 0},
      {"nvlink-windows-x86_64-nvidia-geforce-rtx-2080-super-591.86-01.txt", 1, 0, "", k2080, 0, 0},
      {"p2p-2x-h100pcie-nvlbridge-truncated-01.txt", 2, 1, "unknown", "NVIDIA H100 PCIe", 0, 3},
      {"p2p-2x-rtx2080ti-nop2p-01.txt", 2, 1, "unknown", "NVIDIA GeForce RTX 2080 Ti", 0, 8},
      {"p2p-2x-rtx6000ada-wrx90-01.txt", 2, 1, "unknown", "NVIDIA RTX 6000 Ada Generation", 0, 8},
      {"p2p-8x-a100-sxm-01.txt", 8, 28, "unknown", "NVIDIA A100-SXM4-80GB", 0, 8},
      {"p2p-8x-rtxpro6000-wrx90-flat-01.txt", 8, 0, "", "", 0, 2},
      {"nvbandwidth-2x-h100-testfixture-01.txt", 2, 0, "", kH100, 0, 3},
      {"nvbandwidth-7x-b200-odd-01.txt", 7, 0, "", "", 0, 2},
      {"nvbandwidth-sadcup-benchmark-01.txt", 4, 0, "", "Tesla T4", 0, 10},
      {"nvbandwidth-sadcup-benchmark_h2d-01.txt", 4, 0, "", "Tesla T4", 0, 4},
      {"nvbandwidth-superbench-01.txt", 3, 0, "", "NVIDIA GH200 480GB", 0, 15},
      {"ncclxml-aws-p4de-24xl-topo-01.xml", 8, 28, "PIX", "", 0, 0},
      {"ncclxml-azure-ncv4-topo-01.xml", 4, 6, "SYS", "", 0, 0},
      {"ncclxml-azure-ndv4-01.xml", 8, 28, "PIX", "", 0, 0},
      {"ncclxml-oci-h100-topology-01.xml", 8, 28, "NV18", "", 0, 0},
      {"ncclxml-oci-topo-flattened-01.xml", 8, 28, "PIX", "", 0, 0},
      {"ncclxml-rocm-topo_3p_pcie-01.xml", 3, 3, "SYS", "", 0, 0},
      {"ncclxml-rocm-topo_4p3l-01.xml", 4, 6, "XGMI1", "", 0, 0},
      {"ncclxml-rocm-topo_8p_940-01.xml", 8, 28, "XGMI1", "", 0, 0},
  };
  return list;
}

ImportedNode node_of(const std::string& file) {
  ImportedNode node;
  read_node(read_text_source(sample(file)), node);
  settle(node);
  return node;
}

TEST(Samples, NodesHaveTheDevicesAndLinksThatAreInThem) {
  SPLITBENCH_NEEDS_SAMPLES();
  for (const ExpectedNode& expected : expected_nodes()) {
    SCOPED_TRACE(expected.file);
    const ImportedNode node = node_of(expected.file);
    ASSERT_EQ(node.devices.size(), expected.devices);
    ASSERT_EQ(node.links.size(), expected.links);
    EXPECT_EQ(node.links.empty() ? "" : node.links.front().kind, expected.first_link);
    EXPECT_EQ(node.devices.at(0).name, expected.name);
    EXPECT_EQ(node.devices.at(0).memory.value_or(Bytes(0)), Bytes(1048576 * expected.memory_mib));
    EXPECT_EQ(node.matrices.size(), expected.matrices);
  }
}

TEST(Samples, NodesHaveTheFiguresThatAreInThem) {
  SPLITBENCH_NEEDS_SAMPLES();
  const ImportedNode gb200 = node_of("topo-4x-gb200-ansi-empty-affinity-01.txt");
  EXPECT_EQ(gb200.devices.at(0).cpu_affinity, "0-35");
  EXPECT_FALSE(gb200.devices.at(2).cpu_affinity);
  EXPECT_EQ(gb200.devices.at(2).numa_node, 1);
  EXPECT_EQ(gb200.network.size(), 6U);

  EXPECT_EQ(node_of("smi-table-linux-x86_64-nvidia-h100-mig-590.48.01-01.txt")
                .devices.at(0)
                .mig_instances,
            4);
  const ImportedNode idle =
      node_of("smi-q-linux-x86_64-nvidia-geforce-rtx-2080-super-610.57.04-01.txt");
  EXPECT_EQ(idle.devices.at(0).pcie.generation_now, 1);  // at rest
  EXPECT_EQ(idle.devices.at(0).pcie.generation_most, 3);

  EXPECT_EQ(*node_of("nvlink-a100-8x-status-01.txt").devices.at(7).nvlinks,
            std::vector<BytesPerSecond>(12, BytesPerSecond(25e9)));
  EXPECT_EQ(node_of("topop2p-2x-rtx2080ti-01.txt").links.at(0).path, Path::host_memory);

  const ImportedNode a100 = node_of("p2p-8x-a100-sxm-01.txt");
  EXPECT_NEAR(*a100.matrices.at(1).cells[0][1], 270.83e9, 1e6);
  EXPECT_NEAR(*a100.matrices.at(3).cells[7][6], 519.35e9, 1e6);
  EXPECT_NEAR(*a100.matrices.at(6).cells[6][0], 2.82e-6, 1e-12);
  EXPECT_NEAR(*node_of("nvbandwidth-7x-b200-odd-01.txt").matrices.at(0).cells[6][0], 766.07e9, 1e6);
  EXPECT_NEAR(*node_of("nvbandwidth-superbench-01.txt").matrices.back().cells[0][0], 772.58e-9,
              1e-14);
}

const std::vector<ExpectedRefusal>& expected_node_refusals() {
  static const std::vector<ExpectedRefusal> list{
      {"topo-2x-nv2-vs-phb-doc-01.txt", ":14:1: a second topology"},
      {"topo-8x-h20-26nic-wrapped-header-01.txt", ":6:1: GPU1 has 4 cells; expected 34"},
      {"ncclxml-aws-g5.48xl-topo-01.xml", "9 PCI devices, and none has a class"},
  };
  return list;
}

TEST(Samples, TopologyRefusesForTheTrueReason) {
  SPLITBENCH_NEEDS_SAMPLES();
  for (const auto& [file, says] : expected_node_refusals()) {
    try {
      node_of(file);
      ADD_FAILURE() << file << " was read";
    } catch (const BadDocument& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
}

// A new sample is looked at by somebody.
TEST(Samples, AreAllExpected) {
  SPLITBENCH_NEEDS_SAMPLES();
  std::set<std::string> known;
  for (const auto& run : expected_runs()) known.insert(run.file);
  for (const auto& node : expected_nodes()) known.insert(node.file);
  for (const auto& refusal : expected_refusals()) known.insert(refusal.file);
  for (const auto& refusal : expected_node_refusals()) known.insert(refusal.file);
  for (const auto& entry : fs::directory_iterator(samples())) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".source") continue;
    EXPECT_TRUE(known.contains(name)) << name;
  }
}

}  // namespace
}  // namespace splitbench
