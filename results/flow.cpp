#include "results/flow.h"

#include <algorithm>

#include "model/wire.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOnDevice = "on-device";

Json arrow(const char* name, Bytes bytes, std::string_view path) {
  return {{"arrow", name}, {"bytes", bytes.value()}, {"path", path}};
}

}  // namespace

Path common_path(std::span<const Link> links) {
  const bool alike = std::all_of(links.begin(), links.end(),
                                 [&](const Link& link) { return link.path == links.front().path; });
  return links.empty() || !alike ? Path::unknown : links.front().path;
}

Json flow(const Operation& operation, int ranks, std::span<const Link> links) {
  const Bytes message = message_bytes(operation);
  const double collectives = static_cast<double>(splitbench::collectives(operation, ranks));
  Json arrows = Json::array();
  arrows.push_back(arrow("input", message, kOnDevice));
  arrows.push_back(arrow("device", weight_bytes(operation) / ranks, kOnDevice));
  arrows.push_back(
      arrow("exchange", collectives * wire_bytes(message, ranks), name(common_path(links))));
  // After the all-reduce every device has the whole output.
  arrows.push_back(arrow("gather", Bytes(0), kOnDevice));
  arrows.push_back(arrow("output", message, kOnDevice));
  return arrows;
}

}  // namespace splitbench
