// Finding protocols by name and by path, and what the shipped ones ask for.
#include "protocols/catalogue.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, removed after it.
class Catalogue : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(testing::TempDir()) / (std::string("splitbench_catalogue_") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_ / "bin");
    fs::create_directories(root_ / "share/splitbench/protocols");
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  fs::path write(const std::string& name, const std::string& text) const {
    fs::path path = root_ / "share/splitbench/protocols" / name;
    std::ofstream(path) << text;
    return path;
  }

  fs::path root_;
};

std::string refusal(const std::string& name, const std::vector<fs::path>& directories) {
  try {
    find_protocol(name, directories);
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field(), "");
    return error.what();
  }
  return "found";
}

std::string unreadable(const fs::path& path) {
  try {
    load_protocol_file(path);
  } catch (const BadDocument& error) {
    EXPECT_EQ(error.position(), Position{});
    return error.what();
  }
  return "loaded";
}

TEST_F(Catalogue, InstalledProtocolsComeBeforeTheSourceTree) {
  write("default.json", "{}");
  const auto directories = protocol_directories(root_ / "bin");
  ASSERT_EQ(directories.size(), 2U);
  EXPECT_TRUE(fs::equivalent(directories[1], SPLITBENCH_SOURCE_DIR "/protocols"));
  EXPECT_TRUE(fs::equivalent(find_protocol("default", directories),
                             root_ / "share/splitbench/protocols/default.json"));
  EXPECT_TRUE(fs::equivalent(find_protocol("cannot-pay", directories),
                             SPLITBENCH_SOURCE_DIR "/protocols/cannot-pay.json"));
}

TEST_F(Catalogue, NamesAreThoseOfTheFilesButNotOfTheSchema) {
  write("mine.json", "{}");
  write("notes.txt", "");
  write("default.json", "{}");
  EXPECT_EQ(protocol_names(protocol_directories(root_ / "bin")),
            (std::vector<std::string>{"cannot-pay", "default", "exact-example", "gpu", "mine",
                                      "replay"}));
}

TEST_F(Catalogue, UnknownNameListsThoseThereAre) {
  EXPECT_EQ(refusal("defualt", protocol_directories("/nowhere")),
            "unknown protocol 'defualt'; the protocols here are: cannot-pay, default, "
            "exact-example, gpu, replay (or name a file: ./mine.json); did you mean 'default'?");
}

TEST_F(Catalogue, PathsAreTakenAsTheyAre) {
  EXPECT_EQ(find_protocol("default.json", {}), "default.json");
  EXPECT_EQ(find_protocol("./default", {}), "./default");
}

TEST_F(Catalogue, WhatCannotBeReadSaysWhy) {
  EXPECT_EQ(unreadable(root_ / "none.json"),
            (root_ / "none.json").string() + ": cannot be read: No such file or directory");
  EXPECT_EQ(unreadable(root_), root_.string() + ": cannot be read: it is a directory");
}

TEST_F(Catalogue, EndlessFileIsRefused) {
  EXPECT_EQ(unreadable("/dev/zero"), "/dev/zero: cannot be read: it is no regular file");
}

TEST_F(Catalogue, FileIsNamedInErrors) {
  const fs::path path = write("mine.json", "{\n  \"name\": 1,}");
  try {
    load_protocol_file(path);
    FAIL();
  } catch (const BadDocument& error) {
    EXPECT_EQ(error.file(), path.string());
    EXPECT_EQ(error.position(), (Position{2, 13}));
  }
}

Protocol shipped(const std::string& name) {
  return load_protocol_file(find_protocol(name, protocol_directories("/nowhere")));
}

TEST(ShippedProtocols, AreNamedAsTheirFilesAndSayWhatIsExpected) {
  for (const std::string& name : protocol_names(protocol_directories("/nowhere"))) {
    EXPECT_EQ(shipped(name).name, name);
    EXPECT_FALSE(shipped(name).purpose.empty()) << name;
    EXPECT_FALSE(shipped(name).expected.empty()) << name;
  }
}

TEST(ShippedPresets, AreNamedAsTheirFilesAndSayWhereTheirShapesAreFrom) {
  const auto directories = protocol_directories("/nowhere");
  ASSERT_GE(preset_names(directories).size(), 15U);
  for (const std::string& name : preset_names(directories)) {
    EXPECT_EQ(shipped(name).name, name);
    EXPECT_NE(shipped(name).source.find("layers"), std::string::npos) << name;
  }
}

// Llama 2 70B has 80 layers of three matrices of 8192 x 28672 (its config.json): 56.37e9 weights,
// two bytes each. The preset's two matrices must hold as many.
TEST(ShippedPresets, HaveTheWeightsOfTheGatedMlpTheyStandFor) {
  EXPECT_EQ(weight_bytes(shipped("llama-2-70b").points[0]), Bytes(80.0 * 3 * 8192 * 28672 * 2));
}

// GPT-3 175B: 96 layers, d_model 12288, d_ff 4 x 12288 (Brown et al. 2020, table 2.1).
TEST(ShippedPresets, Gpt3HasItsPublishedShape) {
  EXPECT_EQ(shipped("gpt-3-175b").points[1], (Operation{16, 12288, 49152, 96, DataType::fp16}));
}

// GPT-2 small: d_model 768, d_ff 4 x 768 (Radford et al. 2019, table 2).
TEST(ShippedProtocols, DefaultIsFourLayersOfAGpt2SmallMlp) {
  const Protocol protocol = shipped("default");
  EXPECT_EQ(protocol.points, (std::vector<Operation>{{1, 768, 3072, 4, DataType::fp32},
                                                     {16, 768, 3072, 4, DataType::fp32},
                                                     {128, 768, 3072, 4, DataType::fp32}}));
  EXPECT_EQ(collectives(protocol.points[0], protocol.ranks), 4);
}

// Llama 3 8B: d_model 4096, d_ff 14336 (Grattafiori et al. 2024, table 3). Whole weights in bf16:
// 4 layers x 2 x 4096 x 14336 x 2 bytes = 940 MB, for which there is room on any GPU with bf16.
TEST(ShippedProtocols, GpuIsFourLayersOfAnEightBillionParameterMlp) {
  const Protocol protocol = shipped("gpu");
  EXPECT_EQ(protocol.points, (std::vector<Operation>{{1, 4096, 14336, 4, DataType::bf16},
                                                     {16, 4096, 14336, 4, DataType::bf16},
                                                     {512, 4096, 14336, 4, DataType::bf16}}));
  EXPECT_EQ(weight_bytes(protocol.points[0]), Bytes(939524096));
}

TEST(ShippedProtocols, ExactExampleHasTheShapesOfTheWorkedCase) {
  EXPECT_EQ(shipped("exact-example").points,
            (std::vector<Operation>{{1, 2, 4, 1, DataType::fp32}}));
}

// The figures its expectation names: 4 x 32 x 64 = 8192 operations a layer.
TEST(ShippedProtocols, CannotPayHasTinyLayersAndManyCollectives) {
  const Protocol protocol = shipped("cannot-pay");
  ASSERT_EQ(protocol.points.size(), 1U);
  EXPECT_EQ(collectives(protocol.points[0], protocol.ranks), 8);
  EXPECT_EQ(matrix_flops(protocol.points[0]), Flops(8 * 8192.0));
}

}  // namespace
}  // namespace splitbench
