#include "harness/cli/result_file.h"

#include "protocols/document_value.h"

namespace splitbench::cli {

nlohmann::ordered_json read_result_file(const std::string& file,
                                        const std::vector<std::string_view>& schemas) {
  const Document document(read_document(file), file);
  const DocumentValue root(document);
  const auto schema = document.value().is_object() ? root.member("schema") : std::nullopt;
  if (!schema) document.fail("", "expected an object with the key 'schema'");
  schema->one_of(schemas);
  return document.value();
}

}  // namespace splitbench::cli
