#include "harness/cli/utf8_text.h"

#include <nlohmann/json.hpp>

namespace splitbench::cli {

std::string as_utf8(const std::string& text) {
  using Json = nlohmann::json;
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

}  // namespace splitbench::cli
