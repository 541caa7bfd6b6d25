// Validation against the JSON Schemas that the project publishes (draft-07), by valijson.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace splitbench::test {

// False where the tests were built without valijson: then they skip.
bool schemas_can_be_checked();

// What is wrong with the document, a line each; empty where it is valid. `schema` is a path below
// the source tree. A document as its readers get it: through its text.
std::string schema_errors(const nlohmann::json& document, const std::string& schema);

}  // namespace splitbench::test

// At the start of a test that validates.
#define SPLITBENCH_NEEDS_SCHEMAS()                                                    \
  if (!splitbench::test::schemas_can_be_checked()) {                                  \
    GTEST_SKIP() << "built without valijson (Debian/Ubuntu package libvalijson-dev)"; \
  }                                                                                   \
  static_assert(true)
