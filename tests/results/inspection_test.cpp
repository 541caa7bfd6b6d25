// A promise held against what someone pasted of a node.
#include "results/inspection.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "model/invalid_input.h"
#include "tests/support/schema.h"
#include "tests/support/shipped_catalogue.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// Two H100 over 18 links, as nvidia-smi topo -m and nvlink -s say it, and their copies as
// p2pBandwidthLatencyTest prints them.
const std::string kTopology =
    "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tNV18\t0-63\t0\nGPU1\tNV18\t X \t0-63\t0\n";
std::string links_up(int count) {
  std::string text;
  for (const char* gpu : {"0", "1"}) {
    text += std::string("GPU ") + gpu + ": NVIDIA H100 80GB HBM3 (UUID: GPU-" + gpu + ")\n";
    for (int link = 0; link < count; ++link) {
      text += "\t Link " + std::to_string(link) + ": 26.562 GB/s\n";
    }
  }
  return text;
}
std::string copies(const std::string& rate) {
  return "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\n"
         "Device: 0, NVIDIA H100 80GB HBM3, pciBusID: 1b, pciDeviceID: 0, pciDomainID:0\n"
         "Device: 1, NVIDIA H100 80GB HBM3, pciBusID: 2b, pciDeviceID: 0, pciDomainID:0\n"
         "Device=0 CAN Access Peer Device=1\nDevice=1 CAN Access Peer Device=0\n\n"
         "P2P Connectivity Matrix\n     D\\D     0     1\n     0\t     1     1\n     1\t     1     "
         "1\n"
         "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n"
         "   D\\D     0      1\n     0 2500.00 " +
         rate + "\n     1 " + rate + " 2500.00\n";
}

KnownNode node(const std::vector<std::string>& texts) {
  std::vector<TextSource> sources;
  for (const std::string& text : texts) sources.emplace_back(text, "paste.txt");
  return read_known_node(sources);
}

Promise promise(const std::string& rest) {
  return load_promise(R"({"schema": "splitbench.promise/1", "devices": {"count": 2)" + rest + "}",
                      "p.json");
}

// Finding of each item, by what was inspected.
std::map<std::string, std::string> findings(const Promise& promised, const KnownNode& known,
                                            const std::vector<Json>& results = {}) {
  std::map<std::string, std::string> found;
  for (const InspectedItem& item : inspect(promised, known, test::shipped_catalogue(), results)) {
    found[item.what] = name(item.finding);
    EXPECT_FALSE(item.actual.empty()) << item.what;
    EXPECT_EQ(item.ask.empty(), item.finding == Finding::pass) << item.what;
  }
  return found;
}

using Findings = std::map<std::string, std::string>;

const std::string kLinked =
    R"(, "model": "H100 SXM"}, "one_numa_node": true,
      "links": [{"kind": "gpu-link", "gpu_links": 18, "bytes_per_s": 3e11}])";

TEST(Inspection, GoodNodePasses) {
  EXPECT_EQ(findings(promise(kLinked), node({kTopology, links_up(18), copies("390.00")})),
            (Findings{{"device count", "pass"},
                      {"device model", "pass"},
                      {"NUMA node", "pass"},
                      {"link 0-1: kind", "pass"},
                      {"link 0-1: GPU links", "pass"},
                      {"link 0-1: copies one way", "pass"}}));
}

// The driver grants peer access and names 18 links; nobody copied a byte.
TEST(Inspection, BandwidthThatNobodyMeasuredIsUnknown) {
  const auto found = findings(promise(kLinked), node({kTopology, links_up(18)}));
  EXPECT_EQ(found.at("link 0-1: copies one way"), "unknown");
  EXPECT_EQ(found.at("link 0-1: kind"), "pass");
}

TEST(Inspection, CopiesBelowThePromiseFailWhateverTheDriverSays) {
  EXPECT_EQ(findings(promise(kLinked), node({kTopology, links_up(18), copies("25.10")}))
                .at("link 0-1: copies one way"),
            "fail");
}

// 310 of the 450 GB/s of 18 links: as promised, and less than the 75 % that such links reach.
TEST(Inspection, CopiesThatKeepThePromiseAndAreLowWarn) {
  EXPECT_EQ(findings(promise(kLinked), node({kTopology, links_up(18), copies("310.00")}))
                .at("link 0-1: copies one way"),
            "warn");
}

// 18 links of 25 GB/s carry 450: a quarter more is measured of none.
TEST(Inspection, MoreThanTheLinkCanCarryIsUnknown) {
  const auto judged = [](const std::string& rate) {
    return inspect(promise(kLinked), node({kTopology, links_up(18), copies(rate)}),
                   test::shipped_catalogue(), {})
        .back();
  };
  EXPECT_EQ(judged("339870.00").finding, Finding::unknown);
  EXPECT_NE(judged("339870.00").actual.find("75527 % of 450 GB/s, more than the link can carry"),
            std::string::npos)
      << judged("339870.00").actual;
  EXPECT_EQ(judged("563.00").finding, Finding::unknown);
  EXPECT_EQ(judged("562.00").finding, Finding::pass);
  // Nobody says how they are joined: the card has no more than 18 links in any case.
  EXPECT_EQ(findings(promise(R"(}, "links": [{"bytes_per_s": 3e11}])"), node({copies("339870.00")}))
                .at("link 0-1: copies one way"),
            "unknown");
  const KnownNode known = node({kTopology, links_up(18), copies("339870.00")});
  EXPECT_FALSE(promise_of(known, test::shipped_catalogue()).links.front().rate);
}

// H100 SXM has 18 links, RTX 4090 none (protocols/catalogue).
TEST(Inspection, MoreLinksThanTheCardHasAreUnknown) {
  std::string many = kTopology;
  for (std::size_t at = 0; (at = many.find("NV18")) != std::string::npos;)
    many.replace(at, 4, "NV99");
  const KnownNode known = node({many, copies("390.00")});
  EXPECT_EQ(findings(promise(kLinked), known), (Findings{{"device count", "pass"},
                                                         {"device model", "pass"},
                                                         {"NUMA node", "pass"},
                                                         {"link 0-1: kind", "unknown"},
                                                         {"link 0-1: GPU links", "unknown"},
                                                         {"link 0-1: copies one way", "unknown"}}));
  EXPECT_TRUE(promise_of(known, test::shipped_catalogue()).links.empty());
  EXPECT_EQ(findings(promise(kLinked), node({links_up(19)})).at("link 0-1: GPU links"), "unknown");
}

const std::string kGamers =
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 16\n"
    "#  Rank  0 Pid 1 on h device  0 [0000:1a:00] NVIDIA GeForce RTX 4090\n"
    "#  Rank  1 Pid 1 on h device  1 [0000:b2:00] NVIDIA GeForce RTX 4090\n"
    "#  size  count  type  redop  root  time  algbw  busbw  #wrong  time  algbw  busbw  #wrong\n"
    "67108864 16777216 float sum -1 18091 3.71 3.71 0 18091 3.71 3.71 0\n";

// The topology has no name of the cards, the log has.
TEST(Inspection, LinksOfACardThatHasNoneAreUnknownAndTheNameHasItsSource) {
  const auto items = inspect(promise(R"(, "model": "H100 SXM"}, "links": [{"kind": "gpu-link"}])"),
                             node({kTopology + kGamers}), test::shipped_catalogue(), {});
  EXPECT_EQ(items[0].how, "nvidia-smi topo -m");
  EXPECT_EQ(items[1].finding, Finding::fail);
  EXPECT_EQ(items[1].how, "nccl-tests");
  EXPECT_EQ(items[2].finding, Finding::unknown);
  EXPECT_EQ(items[2].how, "nvidia-smi topo -m");
  EXPECT_EQ(items[2].ask, "which card was meant: NVIDIA GeForce RTX 4090 has no such link");
}

// A test of nvbandwidth that failed is no evidence, and that is the reason.
TEST(Inspection, CopiesThatDidNotPassAreUnknown) {
  const std::string document =
      R"({"nvbandwidth": {"testcases": [{"name": "d2d", "status": "Waived", )"
      R"j("bandwidth_description": "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)", )j"
      R"("bandwidth_matrix": [["N/A", "340.55"], ["339.87", "N/A"]], "sum": 680.42}]}})";
  const auto item = inspect(promise(R"(}, "links": [{"bytes_per_s": 3e11}])"), node({document}),
                            test::shipped_catalogue(), {})
                        .back();
  EXPECT_EQ(item.finding, Finding::unknown);
  EXPECT_EQ(item.actual, "d2d: nvbandwidth says 'Waived' of this test, not 'Passed'");
}

// A link that is down shows in nvlink -s.
TEST(Inspection, LinksThatAreDownFail) {
  EXPECT_EQ(findings(promise(kLinked), node({kTopology, links_up(16)})).at("link 0-1: GPU links"),
            "fail");
}

TEST(Inspection, NothingPastedIsUnknownAndNeverPassed) {
  for (const auto& [what, finding] : findings(promise(kLinked), node({}))) {
    EXPECT_EQ(finding, "unknown") << what;
  }
}

TEST(Inspection, FewerDevicesThanPromisedFail) {
  Promise promised = promise("}");
  promised.count = 4;
  EXPECT_EQ(findings(promised, node({kTopology})), (Findings{{"device count", "fail"}}));
}

TEST(Inspection, AnotherModelFails) {
  EXPECT_EQ(
      findings(promise(R"(, "model": "NVIDIA H200"})"), node({links_up(18)})).at("device model"),
      "fail");
}

std::string query(const std::string& now, const std::string& most) {
  std::string text =
      "==============NVSMI LOG==============\n\nAttached GPUs                             : 2\n";
  for (const char* bus : {"01", "02"}) {
    text += std::string("GPU 00000000:") + bus + ":00.0\n" +
            "    Product Name                          : NVIDIA L40S\n"
            "    GPU Link Info\n"
            "        PCIe Generation\n"
            "            Max                           : " +
            most +
            "\n"
            "            Current                       : " +
            now +
            "\n"
            "        Link Width\n"
            "            Max                           : 16x\n"
            "            Current                       : 16x\n";
  }
  return text;
}

// A link that idles reads generation 1: no judgement. What can never be more than 3 is no 4.
TEST(Inspection, IdlePcieIsNotJudgedAndCapabilityOnlyCondemns) {
  const Promise promised = promise(R"(}, "pcie": {"generation": 4, "width": 16})");
  EXPECT_EQ(
      findings(promised, node({query("1", "4")})),
      (Findings{{"device count", "pass"}, {"PCIe generation", "unknown"}, {"PCIe width", "pass"}}));
  EXPECT_EQ(findings(promised, node({query("4", "4")})).at("PCIe generation"), "pass");
  EXPECT_EQ(findings(promised, node({query("3", "3")})).at("PCIe generation"), "fail");
}

// L40S has no NVLink. That it has none is no fault where none was promised; where one was, the
// promise is broken, and the question is which card was meant.
TEST(Inspection, CardsWithoutLinksAreNoFaultUnlessLinksWerePromised) {
  const KnownNode pcie = node({query("4", "4"),
                               "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tPIX\t0-31\nGPU1\tPIX\t X "
                               "\t0-31\n"});
  const Promise honest = promise(R"(}, "links": [{"kind": "PHB"}])");
  EXPECT_EQ(findings(honest, pcie).at("link 0-1: kind"), "pass");
  const Promise wrong = promise(R"(}, "links": [{"kind": "gpu-link"}])");
  const auto items = inspect(wrong, pcie, test::shipped_catalogue(), {});
  EXPECT_EQ(items.back().finding, Finding::fail);
  EXPECT_EQ(items.back().ask, "which card was meant: NVIDIA L40S has no such link");
}

Json result(double low, double high, const std::string& times_are = "measured") {
  return {{"schema", "splitbench.result/1"},
          {"times_are", times_are},
          {"protocol", {{"name", "gpu"}}},
          {"points", {{{"measured", {{"speedup", {{"value", 1.5}, {"interval", {low, high}}}}}}}}}};
}

TEST(Inspection, SpeedupIsJudgedByTheIntervalOfARealRun) {
  const Promise promised = promise(R"(}, "speedup": [{"protocol": "gpu", "at_least": 1.4}])");
  const auto judged = [&](const std::vector<Json>& results) {
    return findings(promised, node({kTopology}), results).at("speedup of protocol gpu");
  };
  EXPECT_EQ(judged({}), "unknown");
  EXPECT_EQ(judged({result(1.45, 1.55)}), "pass");
  EXPECT_EQ(judged({result(1.35, 1.45)}), "unknown");
  EXPECT_EQ(judged({result(1.1, 1.3)}), "fail");
  EXPECT_EQ(judged({result(1.45, 1.55, "virtual")}), "unknown");
}

TEST(Inspection, TheWorstFindingIsTheWhole) {
  const auto whole = [](std::initializer_list<Finding> findings) {
    std::vector<InspectedItem> items;
    for (const Finding finding : findings) items.push_back({.finding = finding});
    return overall(items);
  };
  EXPECT_EQ(whole({Finding::pass, Finding::warn}), Finding::warn);
  EXPECT_EQ(whole({Finding::warn, Finding::unknown, Finding::pass}), Finding::unknown);
  EXPECT_EQ(whole({Finding::unknown, Finding::fail, Finding::warn}), Finding::fail);
  EXPECT_EQ(whole({Finding::pass}), Finding::pass);
}

// What a node is promised as, that node keeps. Copies of 390 GB/s are promised as 351, a tenth
// less.
TEST(Inspection, GoodNodeKeepsThePromiseMadeOfIt) {
  const KnownNode known = node({kTopology, links_up(18), copies("390.00")});
  const Promise made = promise_of(known, test::shipped_catalogue());
  EXPECT_EQ(made.count, 2);
  EXPECT_EQ(made.model, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(made.links.front().kind, Nearness::gpu_link);
  EXPECT_EQ(made.links.front().gpu_links, 18);
  EXPECT_NEAR(made.links.front().rate->value(), 351e9, 1e6);
  EXPECT_FALSE(made.pcie_generation);
  EXPECT_EQ(overall(inspect(made, known, test::shipped_catalogue(), {})), Finding::pass);
}

TEST(Inspection, NothingIsPromisedOfNothing) {
  EXPECT_THROW(promise_of(node({}), test::shipped_catalogue()), InvalidInput);
}

// What one machine found can be judged on another: the document of `splitbench topology`.
TEST(Inspection, TopologyDocumentIsReadLikeAPaste) {
  const Json topology = {
      {"schema", "splitbench.topology/1"},
      {"devices",
       {{{"index", 0},
         {"name", "NVIDIA L4"},
         {"memory_bytes", 23e9},
         {"numa_node", 0},
         {"pcie", {{"generation", 4}, {"width", 16}, {"most_generation", 4}, {"most_width", 16}}}},
        {{"index", 1},
         {"name", "NVIDIA L4"},
         {"memory_bytes", 23e9},
         {"numa_node", -1},
         {"pcie", nullptr}}}},
      {"links", {{{"a", 0}, {"b", 1}, {"kind", "PHB"}, {"path", "host-memory"}}}},
      {"copies",
       {{{"from", 0}, {"to", 1}, {"bandwidth_bytes_per_s", 12e9}},
        {{"from", 1}, {"to", 0}, {"bandwidth_bytes_per_s", 11e9}}}}};
  const Promise promised = promise(
      R"(, "memory_bytes": 22e9}, "pcie": {"generation": 4}, "one_numa_node": true,
         "links": [{"kind": "PHB", "bytes_per_s": 1.15e10}])");
  EXPECT_EQ(findings(promised, node({topology.dump()})),
            (Findings{{"device count", "pass"},
                      {"device memory", "pass"},
                      {"PCIe generation", "unknown"},
                      {"NUMA node", "unknown"},
                      {"link 0-1: kind", "pass"},
                      {"link 0-1: copies one way", "fail"}}));
}

// Numbers that no node has, and a link that ends where it begins.
TEST(Inspection, TopologyDocumentIsNotTrusted) {
  const auto refusal = [](const std::string& devices) -> std::string {
    try {
      node({R"({"schema": "splitbench.topology/1", "devices": )" + devices +
            R"(, "links": [], "copies": [{"from": 0, "to": 1, "bandwidth_bytes_per_s": 1e9}]})"});
    } catch (const BadDocument& error) {
      return error.pointer();
    }
    return "";
  };
  EXPECT_EQ(refusal(R"([{"index": 65535}])"), "/devices/0/index");
  const KnownNode same = node(
      {R"({"schema": "splitbench.topology/1", "devices": [{"index": 0}, {"index": 0}], "links": [)"
       R"({"a": 0, "b": 1, "kind": "same device", "path": "same-device"}], "copies": []})"});
  EXPECT_TRUE(same.node.links.empty());
}

// NVLinks that are up count as they do in nvidia-smi nvlink -s: 2 of 4 are less than was promised.
TEST(Inspection, TopologyDocumentSaysWhichLinksAreUp) {
  const std::string device =
      R"("name": "NVIDIA RTX A6000", "nvlink_bytes_per_s": 14062500000, "nvlinks": [)"
      R"({"active": true, "to": null}, {"active": true, "to": null}, )"
      R"({"active": false, "to": null}, {"active": false, "to": null}]})";
  const KnownNode known = node({R"({"schema": "splitbench.topology/1", "devices": [{"index": 0, )" +
                                device + R"(, {"index": 1, )" + device +
                                R"(], "links": [{"a": 0, "b": 1, "kind": "NV4", "path": )"
                                R"("gpu-link"}], "copies": []})"});
  EXPECT_EQ(known.node.devices.at(0).nvlinks->size(), 2U);
  EXPECT_EQ(findings(promise(R"(}, "links": [{"gpu_links": 4}])"), known),
            (Findings{{"device count", "pass"}, {"link 0-1: GPU links", "fail"}}));
}

// "H100" may be one of three models: what is there is said, and not judged.
TEST(Inspection, AModelThatIsPromisedInPartIsNotJudged) {
  const KnownNode known = node({kTopology, links_up(18)});
  EXPECT_EQ(findings(promise(R"(, "model": "H100"})"), known).at("device model"), "unknown");
  EXPECT_EQ(findings(promise(R"(, "model": "A100"})"), known).at("device model"), "fail");
}

TEST(Inspection, LinksArePromisedOfTheDevicesThatAreThere) {
  const KnownNode known = node({"\tGPU4\tGPU5\nGPU4\tX\tPIX\nGPU5\tPIX\tX\n"});
  EXPECT_EQ(findings(promise(R"(}, "links": [{"kind": "PIX"}])"), known),
            (Findings{{"device count", "pass"}, {"link 4-5: kind", "pass"}}));
}

TEST(Inspection, DocumentIsAsItsSchemaSays) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const KnownNode known = node({kTopology});
  const auto items = inspect(promise(kLinked), known, test::shipped_catalogue(), {});
  EXPECT_EQ(
      test::schema_errors(to_json(items, "p.json", known), "results/schema/inspection.schema.json"),
      "");
}

}  // namespace
}  // namespace splitbench
