// NCCL topologies as XML, composed in the shape of src/graph/xml.cc of NVIDIA/nccl.
#include <gtest/gtest.h>

#include "tests/results/import/read_node.h"

namespace splitbench {
namespace {

using test::read;
using test::refusal;

std::string links(const ImportedNode& node) {
  std::string text;
  for (const Link& link : node.links) {
    text += std::to_string(link.a) + "-" + std::to_string(link.b) + " " + link.kind + "\n";
  }
  return text;
}

std::string gpu(const std::string& bus, const std::string& inside = "") {
  return "<pci busid=\"" + bus +
         "\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">" + inside +
         "</pci>\n";
}

std::string bridge(const std::string& inside) {
  return "<pci busid=\"ffff:ff:01.0\" class=\"0x060400\">" + inside + "</pci>\n";
}

std::string cpu(int node, const std::string& inside) {
  return "<cpu numaid=\"" + std::to_string(node) + "\">" + inside + "</cpu>\n";
}

std::string system(const std::string& inside) {
  return "<!-- made by hand -->\n<system version=\"1\">\n" + inside + "</system>\n";
}

// The nearest thing that both share: a bridge, several, the host bridge of a NUMA node, nothing.
TEST(NcclTopologyXml, TellsWhatLiesBetweenFromTheTree) {
  const ImportedNode node =
      read(system(cpu(0, bridge(gpu("0000:10:1c.0") + gpu("0000:10:1d.0")) +
                             bridge(bridge(gpu("0000:20:1c.0")) + bridge(gpu("0000:20:1d.0")))) +
                  cpu(1, bridge(gpu("0000:90:1c.0")))));
  EXPECT_EQ(links(node),
            "0-1 PIX\n0-2 PHB\n0-3 PHB\n0-4 SYS\n1-2 PHB\n1-3 PHB\n1-4 SYS\n2-3 PXB\n2-4 SYS\n"
            "3-4 SYS\n");
  const ImportedDevice& device = node.devices.at(4);
  EXPECT_EQ(device.bus, "0000:90:1c.0");
  EXPECT_EQ(device.numa_node, 1);
  EXPECT_EQ(device.pcie.generation_now, 5);
  EXPECT_EQ(device.pcie.width_now, 16);
  EXPECT_EQ(node.notes,
            std::vector<std::string>{"no <gpu> in it: which NVLinks there are is not said"});
}

TEST(NcclTopologyXml, CountsLinksToDevicesAndToSwitches) {
  const auto with_links = [](const std::string& dev, const std::string& links) {
    return "<gpu dev=\"" + dev + "\" sm=\"90\" rank=\"" + dev + "\" gdr=\"1\">" + links + "</gpu>";
  };
  const std::string to_switch =
      "<nvlink target=\"0000:1c:00.0\" count=\"9\" tclass=\"0x068000\"/>"
      "<nvlink target=\"0000:1b:00.0\" count=\"9\" tclass=\"0x068000\"/>";
  EXPECT_EQ(links(read(system(cpu(0, gpu("0000:0f:00.0", with_links("0", to_switch)) +
                                         gpu("0000:2d:00.0", with_links("1", to_switch)))))),
            "0-1 NV18\n");
  const auto direct = [](const std::string& target, int count) {
    return "<nvlink target=\"" + target + "\" count=\"" + std::to_string(count) + "\"/>";
  };
  EXPECT_EQ(links(read(system(
                cpu(0, gpu("0000:0F:00.0", with_links("0", direct("0000:2d:00.0", 4))) +
                           gpu("0000:2d:00.0", with_links("1", direct("0000:0f:00.0", 4))))))),
            "0-1 NV4\n");
}

TEST(NcclTopologyXml, ReadsXgmiAndAdapters) {
  const std::string text =
      system(cpu(0,
                 "<pci busid=\"0000:1d:00.0\" class=\"0x120000\" vendor=\"0x1002\">"
                 "<gpu dev=\"0\"><xgmi target=\"0000:20:00.0\" count=\"1\"/></gpu></pci>"
                 "<pci busid=\"0000:20:00.0\" class=\"0x120000\" vendor=\"0x1002\">"
                 "<gpu dev=\"1\"><xgmi target=\"0000:1d:00.0\" count=\"1\"/></gpu></pci>"
                 "<nic><net name=\"mlx5_0\" speed=\"200000\"/></nic>"));
  EXPECT_EQ(links(read(text)), "0-1 XGMI1\n");
  EXPECT_EQ(read(text).network, std::vector<std::string>{"mlx5_0"});
}

TEST(NcclTopologyXml, SaysWhatIsOdd) {
  const ImportedNode node = read(
      system(cpu(0, gpu("0001:00:00.0",
                        "<gpu dev=\"0\"><nvlink target=\"0001:00:00.0\" count=\"12\"/></gpu>"))));
  EXPECT_EQ(node.notes, std::vector<std::string>{"line 3: links of GPU 0 that end at itself"});
  EXPECT_FALSE(read(system(cpu(0,
                               "<pci busid=\"1\" class=\"0x030200\" link_speed=\"\" "
                               "link_width=\"0\"/>")))
                   .devices.at(0)
                   .pcie.width_now);
}

TEST(NcclTopologyXml, RefusesWhatTellsNothing) {
  EXPECT_EQ(refusal(system(cpu(0, "<pci busid=\"0000:00:16.0\"/>"))),
            "t.txt:2:1: 1 PCI devices, and none has a class or a <gpu> that tells it is a GPU");
  EXPECT_EQ(refusal(system("")), "t.txt:2:1: no GPU in it");
  EXPECT_EQ(refusal("<system>\n<cpu>\n</system>\n").substr(0, 17), "t.txt:3:1: no XML");
  EXPECT_EQ(refusal(system(cpu(0, gpu("a", "<gpu dev=\"0\"/>") + gpu("b", "<gpu dev=\"0\"/>")))),
            "t.txt:4:1: a second GPU 0; expected one node");
}

TEST(NcclTopologyXml, RefusesDeepNesting) {
  std::string deep = gpu("0000:0f:00.0");
  for (int i = 0; i < 40; ++i) deep = bridge(deep);
  EXPECT_NE(refusal(system(cpu(0, deep))).find("nested deeper than 32"), std::string::npos);
}

// Entities are not fetched and not expanded.
TEST(NcclTopologyXml, TakesNothingFromOutside) {
  const std::string text = "<!DOCTYPE system [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\n" +
                           system(cpu(0, gpu("0000:0f:00.0") + "<nic><net name=\"&x;\"/></nic>"));
  EXPECT_EQ(read(text).network, std::vector<std::string>{"&x;"});
}

TEST(NcclTopologyXml, ReadsItAmongWhatATerminalShows) {
  const std::string text = system(cpu(0, gpu("0000:0f:00.0")));
  EXPECT_EQ(read("$ cat topo.xml\n" + text + "root@node:~$ exit\n").devices.size(), 1U);
  EXPECT_EQ(refusal("$ cat topo.xml\n" + system("")), "t.txt:3:1: no GPU in it");
}

// One note for a device, however many of its links are odd.
TEST(NcclTopologyXml, SaysOnceWhatIsOdd) {
  std::string links;
  for (int i = 0; i < 3; ++i) links += "<nvlink target=\"0001:00:00.0\" count=\"12\"/>\n";
  EXPECT_EQ(read(system(cpu(0, gpu("0001:00:00.0", "<gpu dev=\"0\">" + links + "</gpu>")))).notes,
            std::vector<std::string>{"line 3: links of GPU 0 that end at itself"});
}

}  // namespace
}  // namespace splitbench
