// p2pBandwidthLatencyTest and nvbandwidth: what copies between devices took.
#include <gtest/gtest.h>

#include "tests/results/import/read_node.h"

namespace splitbench {
namespace {

using test::read;
using test::refusal;

constexpr const char* kP2p =
    "      [P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\n"
    "      Device: 0, NVIDIA H100 PCIe, pciBusID: c2, pciDeviceID: 0, pciDomainID:0\n"
    "      Device: 1, NVIDIA H100 PCIe, pciBusID: d5, pciDeviceID: 0, pciDomainID:0\n"
    "      Device=0 CAN Access Peer Device=1\n"
    "      Device=1 CANNOT Access Peer Device=0\n"
    "      P2P Connectivity Matrix\n"
    "           D\\D     0     1\n"
    "           0\t     1     1\n"
    "           1\t     1     1\n"
    "      Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n"
    "         D\\D     0      1 \n"
    "           0 1622.17  26.10 \n"
    "           1  25.00 1634.15 \n"
    "      P2P=Enabled Latency (P2P Writes) Matrix (us)\n"
    "         GPU     0      1 \n"
    "           0   1.39   1.12 \n"
    "           1   1.14   1.42 \n"
    "\n"
    "         CPU     0      1 \n"
    "           0   1.64   1.32 \n"
    "           1   1.32   1.58 \n";

TEST(P2pBandwidthLatency, ReadsMatricesWithTheirUnits) {
  const ImportedNode node = read(kP2p);
  EXPECT_EQ(node.devices.at(1).name, "NVIDIA H100 PCIe");
  ASSERT_EQ(node.matrices.size(), 3U);  // connectivity is no measurement
  const PairMatrix& rates = node.matrices[0];
  EXPECT_EQ(rates.name, "Unidirectional P2P=Disabled Bandwidth Matrix");
  EXPECT_EQ(rates.unit, "bytes_per_s");
  EXPECT_EQ(rates.line, 11U);
  EXPECT_DOUBLE_EQ(*rates.cells[0][1], 26.10e9);
  EXPECT_DOUBLE_EQ(*rates.cells[1][0], 25.00e9);
  const PairMatrix& times = node.matrices[2];
  EXPECT_EQ(times.name, "P2P=Enabled Latency (P2P Writes) Matrix, CPU");
  EXPECT_EQ(times.unit, "s");
  EXPECT_DOUBLE_EQ(*times.cells[0][1], 1.32e-6);
  EXPECT_TRUE(node.notes.empty());
}

TEST(P2pBandwidthLatency, TellsThePathFromPeerAccess) {
  const ImportedNode node = read(kP2p);
  ASSERT_EQ(node.links.size(), 1U);
  EXPECT_EQ(node.links[0].path, Path::host_memory);  // one of the two ways is refused
}

TEST(P2pBandwidthLatency, ReadsATableOfAPageWithGaps) {
  const ImportedNode node = read(
      "### P2P=Enabled Write Latency (\xC2\xB5s)\n"
      "```\n"
      "   GPU     0      1      2\n"
      "     0     \xE2\x80\x94   0.45   0.52\n"
      "     2   0.46   0.45   1.23\n"
      "```\n");
  const PairMatrix& matrix = node.matrices.at(0);
  EXPECT_FALSE(matrix.cells[0][0]);
  EXPECT_DOUBLE_EQ(*matrix.cells[2][0], 0.46e-6);
  EXPECT_EQ(node.notes,
            std::vector<std::string>{"P2P=Enabled Write Latency, GPU (line 3) has 2 of 3 rows"});
}

TEST(P2pBandwidthLatency, RefusesATextWithoutAMatrix) {
  EXPECT_EQ(refusal("[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\n"),
            "t.txt:1:1: no whole matrix of p2pBandwidthLatencyTest: it is cut");
  // A row that ends early is not taken.
  EXPECT_EQ(refusal("Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)\nD\\D 0 1\n0 5.1\n"),
            "t.txt:1:1: no whole matrix of p2pBandwidthLatencyTest: it is cut");
}

constexpr const char* kNvbandwidth =
    "nvbandwidth Version: v0.8\n"
    "Built from Git version: 66746a3\n"
    "\n"
    "CUDA Driver Version: 12020\n"
    "Driver Version: 535.247.01\n"
    "\n"
    "node-a\n"
    "Device 0: Tesla T4 (00000000:3b:00)\n"
    "Device 1: Tesla T4 (00000000:86:00)\n"
    "\n"
    "Running host_to_device_memcpy_ce.\n"
    "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
    "           0         1\n"
    " 0     12.35     12.34\n"
    "\n"
    "SUM host_to_device_memcpy_ce 24.69\n"
    "\n"
    "Waived:\n"
    "Running device_to_device_memcpy_read_ce.\n"
    "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n"
    "           0         1\n"
    " 0       N/A     10.24\n"
    " 1      9.98       N/A\n"
    "SUM device_to_device_memcpy_read_ce 20.22\n"
    "Running host_device_latency_sm.\n"
    "memory latency SM CPU(row) <-> GPU(column) (ns)\n"
    "           0         1\n"
    " 0    772.58    780.00\n";

TEST(Nvbandwidth, ReadsMatricesWithTheirDirections) {
  const ImportedNode node = read(kNvbandwidth);
  EXPECT_EQ(node.devices.at(1).name, "Tesla T4");
  EXPECT_EQ(node.devices.at(1).bus, "00000000:86:00");
  EXPECT_EQ(node.software.at("driver"), "535.247.01");
  ASSERT_EQ(node.matrices.size(), 3U);
  EXPECT_EQ(node.matrices[0].rows, "host");
  EXPECT_EQ(node.matrices[0].direction, "->");
  EXPECT_EQ(node.matrices[1].rows, "device");
  EXPECT_FALSE(node.matrices[1].cells[0][0]);
  EXPECT_DOUBLE_EQ(*node.matrices[1].cells[1][0], 9.98e9);
  EXPECT_EQ(node.matrices[2].direction, "<->");
  EXPECT_DOUBLE_EQ(*node.matrices[2].cells[0][0], 772.58e-9);
  EXPECT_EQ(node.notes, std::vector<std::string>{"nvbandwidth: 1 tests were waived there"});
}

// Cut above: the sum names what it adds up. And below.
TEST(Nvbandwidth, ReadsWhatIsCut) {
  const ImportedNode node = read(
      "ndwidth (GB/s)\n"
      "           0         1\n"
      " 0       N/A    764.71\n"
      " 1    765.86       N/A\n"
      "SUM device_to_device_memcpy_read_ce 1530.57\n"
      "Running device_to_device_memcpy_write_ce.\n"
      "memcpy CE GPU(row) <- GPU(column) bandwidth (GB/s)\n"
      "           0         1\n"
      " 0       N/A    774.50\n");
  ASSERT_EQ(node.matrices.size(), 2U);
  EXPECT_EQ(node.matrices[0].name, "device_to_device_memcpy_read_ce");
  EXPECT_EQ(node.matrices[0].direction, "unknown");
  EXPECT_EQ(node.notes,
            std::vector<std::string>{"device_to_device_memcpy_write_ce (line 8) has 1 of 2 rows"});
}

TEST(Nvbandwidth, NotesCellsThatDoNotAddUp) {
  std::string text = kNvbandwidth;
  text.replace(text.find("10.24"), 5, "90.24");
  EXPECT_EQ(read(text).notes.front(),
            "device_to_device_memcpy_read_ce (line 21): its cells do not add up to its sum");
}

// Numbers as strings, as json_output.cpp writes them.
TEST(NvbandwidthJson, ReadsMatrices) {
  const ImportedNode node = read(R"json({"nvbandwidth": {"CUDA Runtime Version": 12060,
    "Driver Version": "560.35.03", "version": "v0.8",
    "GPU Device list": ["0: NVIDIA H200 (00000000:0A:00)", "1: NVIDIA H200 (00000000:18:00)"],
    "testcases": [
      {"name": "device_to_device_memcpy_read_ce", "status": "Passed",
       "bandwidth_description": "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)",
       "bandwidth_matrix": [["N/A", "396.4"], ["395.1", "N/A"]], "sum": 791.5},
      {"name": "multinode_device_to_device_memcpy_read_ce", "status": "Waived"}]
}
})json");
  EXPECT_EQ(node.formats, std::vector<std::string>{"nvbandwidth JSON"});
  EXPECT_EQ(node.devices.at(1).name, "NVIDIA H200");
  ASSERT_EQ(node.matrices.size(), 1U);
  EXPECT_DOUBLE_EQ(*node.matrices[0].cells[0][1], 396.4e9);
  EXPECT_EQ(node.notes,
            std::vector<std::string>{"nvbandwidth: 1 tests were waived or failed there"});
}

TEST(NvbandwidthJson, RefusesWithThePointer) {
  const std::string head =
      R"({"nvbandwidth": {"testcases": [{"name": "x", "status": "Passed", )"
      R"j("bandwidth_description": "GPU(row) -> GPU(column) bandwidth (GB/s)", )j"
      R"("bandwidth_matrix": )";
  EXPECT_NE(
      refusal(head + R"([["fast"]]}]}})").find("at /nvbandwidth/testcases/0/bandwidth_matrix/0/0"),
      std::string::npos);
  EXPECT_NE(refusal(head + R"([["1", "2"], ["3"]]}]}})").find("a row of 2 cells"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"nvbandwidth": {"testcases": []}})").find("no test has a matrix"),
            std::string::npos);
}

// Rows of a matrix of two columns of devices.
std::string p2p_rows(const std::string& rows) {
  return "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1\n" +
         rows;
}

TEST(P2pBandwidthLatency, TakesNoRateThatIsNone) {
  const std::string none = "t.txt:1:1: no whole matrix of p2pBandwidthLatencyTest: it is cut";
  EXPECT_EQ(refusal(p2p_rows("     0 600.1  1e308\n")), none);
  EXPECT_EQ(refusal(p2p_rows("     0 600.1  -26.3\n")), none);
  EXPECT_EQ(refusal(p2p_rows("     0 600.1  nan\n")), none);
}

// A row of a device that has no column is another table's.
TEST(P2pBandwidthLatency, EndsAMatrixAtARowThatHasNoColumn) {
  const ImportedNode node = read(p2p_rows("     0 600.1  26.3\n   100  26.4 601.2\n"));
  ASSERT_EQ(node.matrices.size(), 1U);
  EXPECT_EQ(node.matrices[0].cells.size(), 1U);
  EXPECT_EQ(node.notes.front(),
            "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (line 2) has 1 of 2 rows");
}

TEST(Nvbandwidth, RefusesMoreMatricesThanAnyRunHas) {
  std::string text = "nvbandwidth Version: v0.5\n";
  for (int i = 0; i <= 256; ++i) text += "x (GB/s)\n 0\n 0 1.0\n";
  EXPECT_EQ(refusal(text), "t.txt:771:1: more than 256 matrices");
}

std::string nvbandwidth_json(const std::string& matrix,
                             const std::string& more = R"("status": "Passed")",
                             const std::string& unit = "(GB/s)") {
  return R"({"nvbandwidth": {"testcases": [{"name": "x", "bandwidth_matrix": )" + matrix +
         R"(, "bandwidth_description": "memcpy CE GPU(row) -> GPU(column) bandwidth )" + unit +
         "\", " + more + "}]}}";
}

// 340.55 and 339.87 are 680.42.
const std::string kPair = R"([["N/A", "340.55"], ["339.87", "N/A"]])";

// json_output.cpp writes Passed, Waived, Error, Running or Not Found.
TEST(NvbandwidthJson, WhatDidNotPassIsNoEvidence) {
  for (const char* status : {"Error", "Failed", "Waived", "Running", "passed"}) {
    const ImportedNode node =
        read(nvbandwidth_json(kPair, std::string(R"("status": ")") + status + "\""));
    const std::string why =
        std::string("nvbandwidth says '") + status + "' of this test, not 'Passed'";
    EXPECT_TRUE(node.matrices.empty()) << status;
    ASSERT_EQ(node.unused.size(), 1U) << status;
    EXPECT_EQ(node.unused[0].why, why);
    EXPECT_EQ(node.notes, std::vector<std::string>{"x is not used: " + why});
    EXPECT_EQ(node.devices.size(), 2U);
  }
  EXPECT_EQ(read(nvbandwidth_json(kPair, R"("sum": 680.42)")).unused.at(0).why,
            "nvbandwidth gives no status of this test");
}

TEST(NvbandwidthJson, NotesCellsThatDoNotAddUp) {
  const auto notes = [](const std::string& sum) {
    return read(nvbandwidth_json(kPair, R"("status": "Passed", "sum": )" + sum)).notes;
  };
  EXPECT_TRUE(notes("680.42").empty());
  EXPECT_TRUE(notes("\"680.42\"").empty());
  const std::vector<std::string> note{"x: its cells do not add up to its sum"};
  EXPECT_EQ(notes("9999"), note);
  EXPECT_EQ(notes("\"9999\""), note);
}

TEST(NvbandwidthJson, RefusesOtherUnits) {
  for (const char* unit : {"(MB/s)", "(GiB/s)", "(us)", ""}) {
    const std::string says = refusal(nvbandwidth_json(kPair, R"("status": "Passed")", unit));
    EXPECT_NE(says.find("/0/bandwidth_description: expected a table in (GB/s) or (ns)"),
              std::string::npos)
        << says;
  }
}

TEST(Nvbandwidth, RefusesOtherUnits) {
  for (const char* unit : {"(MB/s)", "(GiB/s)"}) {
    std::string text = kNvbandwidth;
    text.replace(text.find("(GB/s)"), 6, unit);
    EXPECT_EQ(refusal(text), "t.txt:12:1: '" + std::string(unit) +
                                 "': expected a table in (GB/s) or (ns), as nvbandwidth writes");
  }
  std::string late = kNvbandwidth;
  late.replace(late.find("(ns)"), 4, "(us)");
  EXPECT_NE(refusal(late).find("t.txt:26:1: '(us)'"), std::string::npos) << refusal(late);
}

// A test that reports an error before its table or behind it.
TEST(Nvbandwidth, WhatFailedIsNoEvidence) {
  const std::string error = "ERROR: verification failed\n";
  for (const char* before : {"memcpy CE GPU(row)", "SUM device_to_device"}) {
    std::string text = kNvbandwidth;
    text.insert(text.find(before), error);
    const ImportedNode node = read(text);
    ASSERT_EQ(node.unused.size(), 1U) << before;
    EXPECT_EQ(node.unused[0].matrix.name, "device_to_device_memcpy_read_ce");
    EXPECT_EQ(node.unused[0].why, "nvbandwidth says 'ERROR: verification failed' of this test");
    EXPECT_EQ(node.matrices.size(), 2U);
  }
}

TEST(P2pBandwidthLatency, RefusesOtherUnits) {
  std::string text = kP2p;
  text.replace(text.find("(GB/s)"), 6, "(MB/s)");
  EXPECT_EQ(refusal(text), "t.txt:10:1: '(MB/s)': expected (GB/s) or (us), as the tool writes");
}

TEST(NvbandwidthJson, RefusesWhatIsNoMatrix) {
  EXPECT_NE(refusal(nvbandwidth_json("[[]]")).find("no test has a matrix"), std::string::npos);
  for (const char* cell : {"\"-1\"", "\"1e308\"", "-1", "1e308"}) {
    EXPECT_NE(refusal(nvbandwidth_json("[[" + std::string(cell) + "]]")).find("/0/0: expected"),
              std::string::npos)
        << cell;
  }
  // A file of a Windows editor.
  EXPECT_EQ(read("\xEF\xBB\xBF" + nvbandwidth_json("[[\"1.5\"]]")).matrices.size(), 1U);
}

}  // namespace
}  // namespace splitbench
