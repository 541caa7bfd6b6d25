// What a node was promised to be: read strictly, and written back.
#include "protocols/promise.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/schema.h"

namespace splitbench {
namespace {

const std::string kWhole = R"({
  "schema": "splitbench.promise/1",
  "devices": { "count": 4, "model": "NVIDIA H100 80GB HBM3", "memory_bytes": 80000000000 },
  "pcie": { "generation": 5, "width": 16 },
  "one_numa_node": true,
  "links": [
    { "kind": "gpu-link", "gpu_links": 18 },
    { "between": [0, 3], "kind": "NODE", "bytes_per_s": 3e11 }
  ],
  "speedup": [{ "protocol": "gpu", "at_least": 1.3 }]
})";

TEST(Promise, EveryKeyIsRead) {
  const Promise promise = load_promise(kWhole, "p.json");
  EXPECT_EQ(promise.count, 4);
  EXPECT_EQ(promise.model, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(promise.memory, Bytes(80e9));
  EXPECT_EQ(promise.pcie_generation, 5);
  EXPECT_EQ(promise.pcie_width, 16);
  EXPECT_TRUE(promise.one_numa_node);
  ASSERT_EQ(promise.links.size(), 2U);
  EXPECT_EQ(promise.links[0].kind, Nearness::gpu_link);
  EXPECT_EQ(promise.links[0].gpu_links, 18);
  EXPECT_FALSE(promise.links[0].between);
  EXPECT_EQ(promise.links[1].between, std::pair(0, 3));
  EXPECT_EQ(promise.links[1].rate, BytesPerSecond(3e11));
  EXPECT_EQ(promise.speedups, (std::vector<PromisedSpeedup>{{"gpu", 1.3}}));
}

TEST(Promise, IsWrittenAsItIsRead) {
  const Promise promise = load_promise(kWhole, "p.json");
  EXPECT_EQ(load_promise(to_json(promise).dump(), "again"), promise);
}

TEST(Promise, CountOfDevicesIsEnough) {
  const Promise promise =
      load_promise(R"({"schema": "splitbench.promise/1", "devices": {"count": 2}})", "p.json");
  EXPECT_EQ(promise, (Promise{.count = 2}));
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kWhole;
  return text.replace(text.find(from), from.size(), to);
}

std::string refusal(const std::string& from, const std::string& to) {
  try {
    load_promise(changed(from, to), "p.json");
  } catch (const BadDocument& error) {
    return error.what();
  }
  return "read";
}

TEST(Promise, WhatIsWrongIsSaidWhereItStands) {
  EXPECT_EQ(refusal("\"count\": 4", "\"count\": 0"),
            "p.json:3:25: at /devices/count: expected a whole number from 1 to 1024, found 0");
  EXPECT_EQ(refusal("[0, 3]", "[0, 4]"),
            "p.json:8:22: at /links/1/between/1: expected a whole number from 0 to 3, found 4");
  EXPECT_EQ(refusal("[0, 3]", "[3, 3]"),
            "p.json:8:18: at /links/1/between: a device has no link to itself");
  EXPECT_EQ(refusal("\"kind\": \"gpu-link\", \"gpu_links\": 18", ""),
            "p.json:7:5: at /links/0: nothing is promised of this link: expected kind, gpu_links "
            "or bytes_per_s");
  EXPECT_NE(refusal("\"NODE\"", "\"NVLink\"").find("at /links/1/kind: expected one of"),
            std::string::npos);
  EXPECT_NE(refusal("\"one_numa_node\"", "\"one_numa_nod\"").find("did you mean 'one_numa_node'"),
            std::string::npos);
}

TEST(Promise, SchemaAgreesWithTheLoader) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const char* const schema = "protocols/promise.schema.json";
  EXPECT_EQ(test::schema_errors(nlohmann::json::parse(kWhole), schema), "");
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"count\": 4", "\"count\": 0"},
           {"\"kind\": \"gpu-link\", \"gpu_links\": 18", ""},
           {"\"NODE\"", "\"NVLink\""},
           {"\"one_numa_node\"", "\"one_numa_nod\""}}) {
    EXPECT_NE(test::schema_errors(nlohmann::json::parse(changed(from, to)), schema), "") << to;
  }
}

}  // namespace
}  // namespace splitbench
