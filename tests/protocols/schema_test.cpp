// The JSON Schema and the loader are two accounts of one format: they must agree.
#include <gtest/gtest.h>

#ifdef SPLITBENCH_HAS_VALIJSON
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#endif

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "protocols/catalogue.h"
#include "protocols/protocol.h"
#include "tests/protocols/bad_protocols.h"

namespace splitbench {
namespace {

#ifdef SPLITBENCH_HAS_VALIJSON

nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

bool schema_accepts(const nlohmann::json& document) {
  static const nlohmann::json text =
      read_json(SPLITBENCH_SOURCE_DIR "/protocols/protocol.schema.json");
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
}

TEST(ProtocolSchema, AcceptsEveryShippedProtocolAndItsResolvedForm) {
  const auto directories = protocol_directories("/nowhere");
  for (const std::string& name : protocol_names(directories)) {
    const auto path = find_protocol(name, directories);
    EXPECT_TRUE(schema_accepts(read_json(path))) << name;
    EXPECT_TRUE(schema_accepts(to_json(load_protocol_file(path)))) << name;
  }
}

TEST(ProtocolSchema, AcceptsWhatTheLoaderAccepts) {
  EXPECT_TRUE(schema_accepts(nlohmann::json::parse(kDocument)));
  EXPECT_TRUE(schema_accepts(nlohmann::json::parse(kSmallestDocument)));
  EXPECT_TRUE(schema_accepts(to_json(load_protocol(kDocument, "x.json"))));
}

TEST(ProtocolSchema, RefusesWhatTheLoaderRefusesWhereASchemaCanSayIt) {
  int refused = 0;
  for (const BadProtocol& bad : kBadProtocols) {
    if (!bad.by_schema_too) continue;
    EXPECT_FALSE(schema_accepts(nlohmann::json::parse(bad.text()))) << bad.to;
    ++refused;
  }
  EXPECT_GE(refused, 40);
}

#else

TEST(ProtocolSchema, AgreesWithTheLoader) {
  GTEST_SKIP() << "built without valijson (Debian/Ubuntu package libvalijson-dev)";
}

#endif

}  // namespace
}  // namespace splitbench
