// What vendors publish of GPUs: the shipped files, and how a model is found by its name.
#include "protocols/gpu_catalogue.h"

#include <gtest/gtest.h>

#include <string>

#include "model/invalid_input.h"
#include "protocols/document.h"
#include "tests/support/shipped_catalogue.h"

namespace splitbench {
namespace {

GpuModel gpu(const std::string& name) {
  return *find_gpu(test::shipped_catalogue(), {.name = name});
}

// NVIDIA's H100 datasheet, SXM: 1979 TFLOPS of bf16 with sparsity, half of it dense; 80 GB at 3.35
// TB/s; NVLink 900 GB/s, both directions of 18 links together; PCIe generation 5.
TEST(GpuCatalogue, HoldsTheFiguresOfTheDatasheet) {
  const GpuModel h100 = gpu("NVIDIA H100 80GB HBM3");
  EXPECT_EQ(h100.peak.at(DataType::bf16), FlopsPerSecond(1979e12 / 2));
  EXPECT_EQ(h100.memory, Bytes(80e9));
  EXPECT_EQ(*h100.memory_rate, BytesPerSecond(3.35e12));
  EXPECT_EQ(h100.link->links, 18);
  EXPECT_EQ(2.0 * h100.link->links * h100.link->each_way, BytesPerSecond(900e9));
  EXPECT_EQ(h100.pcie_generation, 5);
  EXPECT_EQ(h100.peak_source.substr(0, 43), "NVIDIA H100 Tensor Core GPU, datasheet (its");
}

// Both directions of all links, as the datasheets give it: V100 SXM2 300, A100 600, RTX 3090 112.5
// (GA102 whitepaper), B200 1800, MI300X 896 GB/s.
TEST(GpuCatalogue, LinksAddUpToWhatTheVendorAdvertises) {
  const auto both_ways = [](const std::string& name) {
    const GpuModel model = gpu(name);
    return 2.0 * model.link->links * model.link->each_way.value();
  };
  EXPECT_EQ(both_ways("Tesla V100-SXM2-16GB"), 300e9);
  EXPECT_EQ(both_ways("NVIDIA A100-SXM4-80GB"), 600e9);
  EXPECT_EQ(both_ways("NVIDIA GeForce RTX 3090"), 112.5e9);
  EXPECT_EQ(both_ways("NVIDIA B200"), 1800e9);
  EXPECT_EQ(both_ways("AMD Instinct MI300X"), 896e9);
}

TEST(GpuCatalogue, CardsWithoutLinksSaySo) {
  for (const char* name : {"NVIDIA L40S", "NVIDIA L4", "NVIDIA GeForce RTX 4090", "Tesla T4"}) {
    EXPECT_EQ(gpu(name).link->kind, "none") << name;
    EXPECT_EQ(gpu(name).link->links, 0) << name;
  }
}

TEST(GpuCatalogue, NoNameStandsForTwoModels) {
  for (const GpuModel& model : test::shipped_catalogue()) {
    for (const std::string& name : model.names) {
      EXPECT_EQ(gpu(name).names.front(), model.names.front()) << name;
    }
  }
}

TEST(GpuCatalogue, NamesAreReadWithoutBrandsCaseAndHyphens) {
  EXPECT_EQ(gpu("GeForce RTX 4090").memory, Bytes(24e9));
  EXPECT_EQ(gpu("a100-sxm4-40gb").memory, Bytes(40e9));
  EXPECT_EQ(gpu("h100 sxm").names.front(), "NVIDIA H100 80GB HBM3");
}

// "NVIDIA A100-SXM..." of nvidia-smi's table: two models, told apart by their memory.
TEST(GpuCatalogue, CutNameNeedsTheMemoryToo) {
  EXPECT_EQ(
      find_gpu(test::shipped_catalogue(), {.name = "NVIDIA A100-SXM...", .is_cut = true}).reason(),
      "'NVIDIA A100-SXM...' is cut, and may be NVIDIA A100-SXM4-40GB, NVIDIA A100-SXM4-80GB");
  const auto found =
      find_gpu(test::shipped_catalogue(),
               {.name = "NVIDIA A100-SXM...", .is_cut = true, .memory = Bytes(81920.0 * 0x1p20)});
  EXPECT_EQ(found->names.front(), "NVIDIA A100-SXM4-80GB");
}

TEST(GpuCatalogue, UnknownNameIsNotAnotherModel) {
  EXPECT_FALSE(find_gpu(test::shipped_catalogue(), {.name = "NVIDIA GeForce RTX 3090 Ti"}));
  EXPECT_EQ(find_gpu(test::shipped_catalogue(), {.name = "NVIDIA H20"}).reason(),
            "the catalogue has no GPU called 'NVIDIA H20'; it has NVIDIA H200, NVIDIA H200 NVL");
  EXPECT_FALSE(find_gpu(test::shipped_catalogue(), {.name = ""}));
}

// What people call a card before they know that there are several of it.
TEST(GpuCatalogue, PartOfANameGivesTheModelsThatHaveIt) {
  EXPECT_EQ(find_gpu(test::shipped_catalogue(), {.name = "h100"}).reason(),
            "the catalogue has no GPU called 'h100'; it has NVIDIA H100 80GB HBM3, NVIDIA H100 "
            "PCIe, NVIDIA H100 NVL");
  EXPECT_TRUE(is_part_of_name("H100", "NVIDIA H100 80GB HBM3"));
  EXPECT_FALSE(is_part_of_name("A100", "NVIDIA H100 80GB HBM3"));
  EXPECT_FALSE(is_part_of_name("NVIDIA", "NVIDIA H100 80GB HBM3"));
}

std::string refusal(const std::string& gpu) {
  try {
    read_gpu_catalogue(
        "{\"schema\": \"splitbench.catalogue/1\", \"family\": \"f\",\n"
        "\"sources\": {\"a\": {\"title\": \"t\", \"date\": \"2024\"}},\n"
        "\"gpus\": [" +
            gpu + "]}",
        "x.json");
  } catch (const BadDocument& error) {
    return error.what();
  }
  return "read";
}

TEST(GpuCatalogue, BadFilesAreRefusedWithLineAndPointer) {
  const std::string pcie = R"("pcie": {"source": "a", "generation": 4, "width": 16})";
  const std::string memory = R"("memory": {"source": "a", "bytes": 24000000000})";
  EXPECT_EQ(refusal(R"({"names": ["x"], )" + memory + ", " + pcie + "}"), "read");
  EXPECT_EQ(refusal(R"({"names": ["x"], )" + memory + "}"),
            "x.json:3:10: at /gpus/0: the key 'pcie' is missing");
  EXPECT_EQ(refusal(R"({"names": [], )" + memory + ", " + pcie + "}"),
            "x.json:3:20: at /gpus/0/names: expected a name or more, found a list of 0");
  EXPECT_EQ(
      refusal(R"({"names": ["x"], "memory": {"source": "b", "bytes": 24000000000}, )" + pcie + "}"),
      "x.json:3:48: at /gpus/0/memory/source: expected the name of one of the sources, found "
      "\"b\"");
  EXPECT_EQ(refusal(R"({"names": ["x"], )" + memory +
                    R"(, "pcie": {"source": "a", "generation": 4, "width": 3}})"),
            "x.json:3:84: at /gpus/0/pcie: PCIe generation 4 x3 has no rate that is known here");
}

TEST(GpuCatalogue, MissingFolderIsSaid) {
  EXPECT_THROW(load_gpu_catalogue({}), InvalidInput);
}

}  // namespace
}  // namespace splitbench
