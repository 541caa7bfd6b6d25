// The JSON Schema and the loader are two accounts of one format: they must agree.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "protocols/catalogue.h"
#include "protocols/protocol.h"
#include "tests/protocols/bad_protocols.h"
#include "tests/support/schema.h"

namespace splitbench {
namespace {

nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

bool schema_accepts(const nlohmann::json& document) {
  return test::schema_errors(document, "protocols/protocol.schema.json").empty();
}

TEST(ProtocolSchema, AcceptsEveryShippedProtocolAndItsResolvedForm) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const auto directories = protocol_directories("/nowhere");
  for (const std::string& name : protocol_names(directories)) {
    const auto path = find_protocol(name, directories);
    EXPECT_TRUE(schema_accepts(read_json(path))) << name;
    EXPECT_TRUE(schema_accepts(to_json(load_protocol_file(path)))) << name;
  }
}

TEST(ProtocolSchema, AcceptsEveryShippedPreset) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const auto directories = protocol_directories("/nowhere");
  for (const std::string& name : preset_names(directories)) {
    EXPECT_TRUE(schema_accepts(read_json(find_protocol(name, directories)))) << name;
  }
}

TEST(CatalogueSchema, AcceptsEveryShippedFile) {
  SPLITBENCH_NEEDS_SCHEMAS();
  const std::filesystem::path folder = SPLITBENCH_SOURCE_DIR "/protocols/catalogue";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_EQ(test::schema_errors(read_json(entry.path()), "protocols/gpu_catalogue.schema.json"),
              "")
        << entry.path();
  }
}

TEST(ProtocolSchema, AcceptsWhatTheLoaderAccepts) {
  SPLITBENCH_NEEDS_SCHEMAS();
  EXPECT_TRUE(schema_accepts(nlohmann::json::parse(kDocument)));
  EXPECT_TRUE(schema_accepts(nlohmann::json::parse(kSmallestDocument)));
  EXPECT_TRUE(schema_accepts(to_json(load_protocol(kDocument, "x.json"))));
}

TEST(ProtocolSchema, RefusesWhatTheLoaderRefusesWhereASchemaCanSayIt) {
  SPLITBENCH_NEEDS_SCHEMAS();
  int refused = 0;
  for (const BadProtocol& bad : kBadProtocols) {
    if (!bad.by_schema_too) continue;
    EXPECT_FALSE(schema_accepts(nlohmann::json::parse(bad.text()))) << bad.to;
    ++refused;
  }
  EXPECT_GE(refused, 40);
}

}  // namespace
}  // namespace splitbench
