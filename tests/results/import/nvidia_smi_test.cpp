// nvidia-smi's table, -q and nvlink --status: excerpts in the shape that drivers 535 to 610 print.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/results/import/read_node.h"

namespace splitbench {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;

using test::read;
using test::refusal;

constexpr const char* kTableHead =
    "+-----------------------------------------------------------------------------------------+\n"
    "| NVIDIA-SMI 590.48.01              Driver Version: 590.48.01      CUDA Version: 13.1     |\n"
    "+-----------------------------------------+------------------------+----------------------+\n"
    "| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n"
    "| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |\n"
    "|                                         |                        |               MIG M. |\n"
    "|=========================================+========================+======================|\n";

std::string table_row(int number, const std::string& bus, const std::string& mig) {
  return "|   " + std::to_string(number) +
         "  NVIDIA H100 80GB HBM3          On  |   00000000:" + bus +
         ":00.0 Off |                   On |\n"
         "| N/A   42C    P0             98W /  700W |      59MiB /  81559MiB |     N/A      "
         "Default "
         "|\n"
         "|                                         |                        |              " +
         mig +
         " |\n"
         "+-----------------------------------------+------------------------+------------------+"
         "\n";
}

TEST(NvidiaSmiTable, ReadsDevices) {
  const ImportedNode node =
      read(kTableHead + table_row(0, "1B", "Disabled") + table_row(1, "43", "Disabled"));
  ASSERT_EQ(node.devices.size(), 2U);
  const ImportedDevice& device = node.devices.at(1);
  EXPECT_EQ(device.name, "NVIDIA H100 80GB HBM3");
  EXPECT_FALSE(device.name_is_cut);
  EXPECT_EQ(device.bus, "00000000:43:00.0");
  EXPECT_EQ(device.memory, Bytes(81559 * kMebibyte));
  EXPECT_EQ(device.mig, false);
  EXPECT_EQ(node.software.at("driver"), "590.48.01");
  EXPECT_EQ(node.software.at("cuda"), "13.1");
}

TEST(NvidiaSmiTable, CountsInstancesOfADividedDevice) {
  const ImportedNode node = read(kTableHead + table_row(0, "1B", "Enabled") +
                                 "| MIG devices:                                                   "
                                 "                         |\n"
                                 "| GPU  GI  CI  MIG |              Shared Memory-Usage |        "
                                 "Vol|        Shared         |\n"
                                 "|      ID  ID  Dev |                Shared BAR1-Usage | SM     "
                                 "Unc| CE ENC  DEC  OFA  JPG |\n"
                                 "|  0    2   0   0  |              26MiB / 40448MiB    | 60      "
                                 "0 |  3   0    3    0    3 |\n"
                                 "|                  |               0MiB / 24739MiB    |          "
                                 " |                       |\n"
                                 "|  0    9   0   2  |               9MiB /  9984MiB    | 16      "
                                 "0 |  1   0    1    0    1 |\n"
                                 "| Processes:                                                     "
                                 "                         |\n"
                                 "|  GPU   GI   CI              PID   Type   Process name          "
                                 "              GPU Memory |\n"
                                 "|    0    2    0            4711      C   ./secret               "
                                 "                  20MiB |\n");
  EXPECT_EQ(node.devices.at(0).mig, true);
  EXPECT_EQ(node.devices.at(0).mig_instances, 2);
  EXPECT_EQ(node.devices.at(0).memory, Bytes(81559 * kMebibyte));
}

TEST(NvidiaSmiTable, SaysWhereANameIsCutAndTakesTheDriversModeOff) {
  const ImportedNode node = read(
      "|   0  NVIDIA GeForce RTX 2080 ...  WDDM  |   00000000:0C:00.0 Off |                  N/A "
      "|\n"
      "| 37%   40C    P8             38W /  250W |     702MiB /   8192MiB |      0%      Default "
      "|\n"
      "|                                         |                        |                  N/A "
      "|\n");
  EXPECT_EQ(node.devices.at(0).name, "NVIDIA GeForce RTX 2080 ...");
  EXPECT_TRUE(node.devices.at(0).name_is_cut);
  EXPECT_FALSE(node.devices.at(0).mig);  // it knows no such thing
}

TEST(NvidiaSmiTable, RefusesTwoNodesAndATableWithoutDevices) {
  EXPECT_EQ(refusal(kTableHead + table_row(0, "1B", "Disabled") + table_row(0, "43", "Disabled")),
            "t.txt:12:1: a second device 0; expected one node");
  EXPECT_EQ(refusal(kTableHead), "t.txt:1:1: an nvidia-smi table without a device: it is cut");
}

constexpr const char* kQuery =
    "==============NVSMI LOG==============\n"
    "\n"
    "Timestamp                                 : Tue Jul 14 08:12:38 2026\n"
    "Driver Version                            : 610.62 [Deprecated; Use KMD Version instead]\n"
    "CUDA Version                              : 13.3\n"
    "\n"
    "Attached GPUs                             : 1\n"
    "GPU 00000000:0C:00.0\n"
    "    Product Name                          : NVIDIA GeForce RTX 2080 SUPER\n"
    "    MIG Mode\n"
    "        Current                           : N/A\n"
    "        Pending                           : N/A\n"
    "    Serial Number                         : 0123456789\n"
    "    GPU UUID                              : GPU-e16e002b-0000-0000-0000-a796db2f394b\n"
    "    PCI\n"
    "        GPU Link Info\n"
    "            PCIe Generation\n"
    "                Max                       : 3\n"
    "                Current                   : 1\n"
    "                Device Max                : 3\n"
    "            Link Width\n"
    "                Max                       : 16x\n"
    "                Current                   : 8x\n"
    "    FB Memory Usage\n"
    "        Total                             : 8192 MiB\n"
    "        Used                              : 1 MiB\n"
    "    BAR1 Memory Usage\n"
    "        Total                             : 256 MiB\n"
    "    Remapped Rows\n"
    "            Max                           : 192 bank(s)\n";

TEST(NvidiaSmiQuery, ReadsItIndentedAndWithTabs) {
  std::istringstream lines(kQuery);
  std::string indented;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    indented += "  > \t" + std::string(blanks / 4, '\t') + line.substr(blanks) + "\n";
  }
  const ImportedNode node = read(indented);
  EXPECT_EQ(node.devices.at(0).memory, Bytes(8192 * kMebibyte));
  EXPECT_EQ(node.devices.at(0).pcie.width_most, 16);
}

TEST(NvidiaSmiQuery, ReadsADevice) {
  const ImportedNode node = read(kQuery);
  const ImportedDevice& device = node.devices.at(0);
  EXPECT_EQ(device.name, "NVIDIA GeForce RTX 2080 SUPER");
  EXPECT_EQ(device.uuid, "GPU-e16e002b-0000-0000-0000-a796db2f394b");
  EXPECT_EQ(device.bus, "00000000:0c:00.0");
  EXPECT_EQ(device.memory, Bytes(8192 * kMebibyte));
  EXPECT_FALSE(device.mig);
  EXPECT_EQ(device.pcie.generation_most, 3);
  EXPECT_EQ(device.pcie.generation_now, 1);
  EXPECT_EQ(device.pcie.width_most, 16);
  EXPECT_EQ(device.pcie.width_now, 8);
  EXPECT_EQ(node.software.at("driver"), "610.62");
}

TEST(NvidiaSmiQuery, RefusesWhatIsCut) {
  std::string text = kQuery;
  text.replace(text.find(": 1\nGPU"), 3, ": 2");
  EXPECT_EQ(refusal(text), "t.txt:1:1: cut: it says that 2 devices are attached and describes 1");
  EXPECT_EQ(refusal("==============NVSMI LOG==============\n"),
            "t.txt:1:1: nvidia-smi -q without a device: it is cut");
}

TEST(NvlinkStatus, ReadsRatesOfLinksThatAreUp) {
  const ImportedNode node = read(
      "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-d7e59a70-0000-0000-0000-3c7781269c9c)\n"
      "\t Link 0: 25 GB/s\n"
      "\t Link 1: <inactive>\n"
      "\t Link 2: 25 GB/s\n"
      "GPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-aac2f320-0000-0000-0000-da14abff69af)\n"
      "NVML: Unable to retrieve NVLink information as all links are inActive\n"
      "GPU 2: NVIDIA H100 80GB HBM3 (UUID: GPU-bbc2f320-0000-0000-0000-da14abff69af)\n"
      "Nvlink queries are not supported for Devices in MIG mode\n");
  ASSERT_EQ(node.devices.size(), 3U);
  EXPECT_EQ(*node.devices.at(0).nvlinks, std::vector<BytesPerSecond>(2, BytesPerSecond(25e9)));
  EXPECT_TRUE(node.devices.at(1).nvlinks->empty());
  EXPECT_FALSE(node.devices.at(2).nvlinks);  // nobody could look
  EXPECT_EQ(node.devices.at(2).no_nvlinks,
            "Nvlink queries are not supported for Devices in MIG mode");
}

// Errors of links stand in the same shape, and are no rates.
TEST(NvlinkStatus, LeavesCountersOfErrorsAlone) {
  const ImportedNode node = read(
      "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-d7b96c1c-0000-0000-0000-5eccd1d17bbf)\n"
      "\t Link 0: Replay Errors: 0\n");
  EXPECT_FALSE(node.devices.at(0).nvlinks);
}

TEST(NvlinkStatus, NotesABridgeThatIsHalfSeated) {
  const ImportedNode node = read(
      "GPU0 GPU1\nGPU0 X NV4\nGPU1 NV4 X\n"
      "GPU 0: NVIDIA RTX A6000 (UUID: GPU-cff6f5fd-0000-0000-0000-611a43413ab3)\n"
      "\t Link 0: 14.062 GB/s\n"
      "\t Link 1: 14.062 GB/s\n");
  EXPECT_EQ(node.notes,
            std::vector<std::string>{"devices 0 and 1 are NV4, and 2 links of device 0 are up"});
}

TEST(NvlinkStatus, RefusesTwoNodes) {
  EXPECT_EQ(refusal("GPU 0: NVIDIA L4 (UUID: GPU-a)\nGPU 0: NVIDIA L4 (UUID: GPU-b)\n"),
            "t.txt:2:1: a second device 0; expected one node");
}

}  // namespace
}  // namespace splitbench
