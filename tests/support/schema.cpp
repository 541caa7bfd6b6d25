#include "tests/support/schema.h"

#include <stdexcept>

#ifdef SPLITBENCH_HAS_VALIJSON
#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 takes valijson's string concatenations for overlapping copies (GCC bug 105651) and, with
// the address sanitizer, its std::regex for uninitialized (GCC bug 105562).
#pragma GCC diagnostic ignored "-Wrestrict"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <fstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#endif

namespace splitbench::test {

#ifdef SPLITBENCH_HAS_VALIJSON

bool schemas_can_be_checked() {
  return true;
}

std::string schema_errors(const nlohmann::json& document, const std::string& schema_path) {
  std::ifstream file(SPLITBENCH_SOURCE_DIR "/" + schema_path);
  const nlohmann::json text = nlohmann::json::parse(file);
  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) {
    return {};
  }
  std::string list = "refused\n";
  valijson::ValidationResults::Error error;
  while (results.popError(error)) {
    for (const std::string& part : error.context) list += part;
    list += ": " + error.description + "\n";
  }
  return list;
}

#else

bool schemas_can_be_checked() {
  return false;
}

std::string schema_errors(const nlohmann::json&, const std::string&) {
  throw std::logic_error("built without valijson");
}

#endif

}  // namespace splitbench::test
