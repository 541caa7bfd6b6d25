// nvidia-smi topo -m and -p2p as drivers print them and pages show them.
#include <gtest/gtest.h>

#include "tests/results/import/read_node.h"

namespace splitbench {
namespace {

using test::read;
using test::refusal;

std::string links(const ImportedNode& node) {
  std::string text;
  for (const Link& link : node.links) {
    text += std::to_string(link.a) + "-" + std::to_string(link.b) + " " + link.kind + " " +
            std::string(name(link.path)) + "\n";
  }
  return text;
}

// Tabs, with one to spare before the last columns, and cells that are empty.
TEST(TopologyMatrix, ReadsTabsAndEmptyCells) {
  const ImportedNode node = read(
      "\t\x1b[4mGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
      "GPU0\t X \tNV18\tSYS\tNODE\t0-35\t0\t\tN/A\n"
      "GPU1\tNV18\t X \tPIX\tNODE\t\t1\t\tN/A\n"
      "GPU2\tSYS\tPIX\t X \tNODE\t\t\t\tN/A\n"
      "NIC0\tNODE\tNODE\tNODE\t X \t\t\t\t\n"
      "\n"
      "Legend:\n"
      "\n"
      "  X    = Self\n"
      "NIC Legend:\n"
      "\n"
      "  NIC0: mlx5_0\n");
  EXPECT_EQ(links(node), "0-1 NV18 gpu-link\n0-2 SYS unknown\n1-2 PIX unknown\n");
  EXPECT_EQ(node.devices.size(), 3U);
  EXPECT_EQ(node.devices.at(0).cpu_affinity, "0-35");
  EXPECT_EQ(node.devices.at(0).numa_node, 0);
  EXPECT_FALSE(node.devices.at(1).cpu_affinity);
  EXPECT_EQ(node.devices.at(1).numa_node, 1);
  EXPECT_FALSE(node.devices.at(2).numa_node);
  EXPECT_EQ(node.network, std::vector<std::string>{"NIC0 (mlx5_0)"});
}

// Blanks, columns that ran together, indentation of a page, a NUMA node that is not known.
TEST(TopologyMatrix, ReadsBlanks) {
  const ImportedNode node = read(
      "$ nvidia-smi topo -m\n"
      "        GPU0    GPU1    NIC0 NIC1    CPU Affinity    NUMA Affinity\n"
      "  GPU0     X      NV2     SYS  SYS     0-23,48-71      N/A\n"
      "  GPU1    NV2      X      SYS  SYS     0-23,48-71      N/A\n");
  EXPECT_EQ(links(node), "0-1 NV2 gpu-link\n");
  EXPECT_EQ(node.devices.at(1).cpu_affinity, "0-23,48-71");
  EXPECT_FALSE(node.devices.at(1).numa_node);
}

TEST(TopologyMatrix, ReadsWhatATerminalWrapped) {
  const ImportedNode node = read(
      "        GPU0    GPU1    NIC0\n"
      "NIC1    CPU Affinity    NUMA Affinity\n"
      "GPU0     X      PHB     SYS\n"
      "SYS     0-15     0\n"
      "GPU1    PHB      X      SYS\n"
      "SYS     0-15     0\n");
  EXPECT_EQ(links(node), "0-1 PHB unknown\n");
  EXPECT_EQ(node.network.size(), 2U);
  EXPECT_EQ(node.devices.at(0).numa_node, 0);
}

TEST(TopologyMatrix, ReadsOneGpuAndOneWithoutAffinities) {
  const ImportedNode one = read(
      "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \t\t\t\tN/A\n");
  EXPECT_EQ(one.devices.size(), 1U);
  EXPECT_TRUE(one.links.empty());
  EXPECT_EQ(links(read("     GPU0  GPU1\nGPU0  X    NODE\nGPU1 NODE   X\n")), "0-1 NODE unknown\n");
}

TEST(TopologyMatrix, RefusesWhatIsCutOrDoesNotAgree) {
  EXPECT_EQ(refusal("GPU0 GPU1 GPU2\nGPU0 X NV4 NV4\nGPU1 NV4 X\n"),
            "t.txt:3:1: GPU1 has 2 cells; expected 3, one for each column");
  EXPECT_EQ(refusal("GPU0 GPU1\nGPU0 X NV4\n"),
            "t.txt:1:1: GPU1 has a column and no row: the matrix is cut");
  EXPECT_EQ(refusal("GPU0 GPU1\nGPU0 X NV4\nGPU1 SYS X\n"),
            "t.txt:3:1: GPU0 and GPU1 are NV4 in one row and SYS in the other");
  EXPECT_EQ(refusal("GPU0 GPU1\nGPU0 X WAT\nGPU1 NV4 X\n"),
            "t.txt:2:1: 'WAT' where GPU0 and GPU1 meet is not understood");
  EXPECT_EQ(refusal("GPU0 GPU1\nGPU0 X NV4 NV4\nGPU1 NV4 X\n"),
            "t.txt:2:1: GPU0 has more cells than there are columns, 2");
  EXPECT_EQ(refusal("GPU0 X NV4\nGPU1 NV4 X\n"),
            "t.txt:1:1: rows of a topology matrix, and no header that names its columns");
  EXPECT_EQ(refusal("GPU0 GPU0\nGPU0 X NV4\n"), "t.txt:1:1: GPU0 is there twice");
}

TEST(TopologyMatrix, RefusesTwoNodes) {
  const std::string bridge = "GPU0 GPU1\nGPU0 X NV2\nGPU1 NV2 X\n";
  EXPECT_EQ(links(read(bridge + "\n" + bridge)), "0-1 NV2 gpu-link\n");
  EXPECT_EQ(refusal(bridge + "\nGPU0 GPU1\nGPU0 X PHB\nGPU1 PHB X\n"),
            "t.txt:5:1: a second topology, and another one than that of line 1; expected one node");
}

TEST(TopologyP2p, SaysWhoMayReachWhom) {
  const ImportedNode node = read(
      "$ nvidia-smi topo -p2p p\n"
      "        GPU0    GPU1    GPU2\n"
      " GPU0   X       NS      OK\n"
      " GPU1   NS      X       OK\n"
      " GPU2   OK      OK      X\n");
  EXPECT_EQ(node.formats, std::vector<std::string>{"nvidia-smi topo -p2p"});
  EXPECT_EQ(node.peers.size(), 6U);
  EXPECT_EQ(node.peers.front(), (PeerAccess{0, 1, "NS", false}));
  EXPECT_EQ(links(node), "0-1 unknown host-memory\n0-2 unknown unknown\n1-2 unknown unknown\n");
}

// Both in one paste: the path is that of peer access, the kind that of the matrix.
TEST(TopologyP2p, TellsThePathOfALink) {
  const ImportedNode node = read(
      "GPU0 GPU1\nGPU0 X PHB\nGPU1 PHB X\n\n"
      "GPU0 GPU1\nGPU0 X CNS\nGPU1 CNS X\n");
  EXPECT_EQ(links(node), "0-1 PHB host-memory\n");
  EXPECT_EQ(node.formats.size(), 2U);
}

// Lines that nvidia-smi and rocm-smi print.
TEST(Import, SaysWhatToDoAboutATextOfNoUse) {
  EXPECT_EQ(refusal("$ nvidia-smi\nNVIDIA-SMI has failed because it couldn't communicate with the "
                    "NVIDIA driver. Make sure that the latest NVIDIA driver is installed.\n")
                .substr(0, 70),
            "t.txt:2:1: nvidia-smi failed there: it does not reach the driver. Mend");
  EXPECT_NE(refusal("Failed to initialize NVML: Driver/library version mismatch\n")
                .find("its library does not start"),
            std::string::npos);
  EXPECT_NE(refusal("No devices were found\n").find("nvidia-smi found no device there"),
            std::string::npos);
  EXPECT_NE(refusal("====== ROCm System Management Interface ======\n"
                    "== Weight between two GPUs ==\n       GPU0  GPU1\nGPU0   0     15\n")
                .find("what rocm-smi prints is not read"),
            std::string::npos);
}

TEST(Import, RefusesWhatItDoesNotKnowWithWhatItIs) {
  EXPECT_NE(refusal("once upon a time\n").find("expected what nvidia-smi"), std::string::npos);
  EXPECT_NE(refusal("{\"context\": {}, \"benchmarks\": []}\n").find("Google Benchmark"),
            std::string::npos);
  EXPECT_NE(refusal("message_bytes\tlatency_us\n8\t9\n").find("'splitbench fit' reads"),
            std::string::npos);
  try {
    read_runs(TextSource("GPU0 GPU1\nGPU0 X PHB\nGPU1 PHB X\n", "t.txt"));
    FAIL();
  } catch (const BadDocument& error) {
    EXPECT_NE(std::string(error.what()).find("'splitbench topology --from' reads"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace splitbench
