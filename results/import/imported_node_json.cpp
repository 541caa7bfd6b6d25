#include "results/import/imported_node_json.h"

#include <cstdint>
#include <optional>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json nvlinks_json(const ImportedDevice& device) {
  if (!device.nvlinks) return nullptr;
  Json rates = Json::array();
  for (const BytesPerSecond rate : *device.nvlinks) rates.push_back(rate.value());
  return rates;
}

Json to_json(int index, const ImportedDevice& device) {
  Json document{{"index", index}};
  document["name"] = device.name.empty() ? Json(nullptr) : Json(device.name);
  document["name_is_cut"] = device.name_is_cut;
  document["uuid"] = or_null(device.uuid);
  document["pci_bus_id"] = or_null(device.bus);
  document["memory_bytes"] =
      device.memory ? Json(static_cast<std::int64_t>(device.memory->value())) : Json(nullptr);
  document["numa_node"] = or_null(device.numa_node);
  document["cpu_affinity"] = or_null(device.cpu_affinity);
  document["mig"] = or_null(device.mig);
  document["mig_instances"] = device.mig_instances;
  document["pcie"] = {{"generation_now", or_null(device.pcie.generation_now)},
                      {"generation_most", or_null(device.pcie.generation_most)},
                      {"width_now", or_null(device.pcie.width_now)},
                      {"width_most", or_null(device.pcie.width_most)}};
  document["nvlinks_bytes_per_s"] = nvlinks_json(device);
  document["no_nvlinks"] = or_null(device.no_nvlinks);
  return document;
}

Json to_json(const PairMatrix& matrix) {
  Json cells = Json::array();
  for (const auto& row : matrix.cells) {
    Json values = Json::array();
    for (const auto& cell : row) values.push_back(or_null(cell));
    cells.push_back(std::move(values));
  }
  return {{"name", matrix.name},           {"unit", matrix.unit}, {"rows", matrix.rows},
          {"direction", matrix.direction}, {"line", matrix.line}, {"cells", cells}};
}

}  // namespace

Json to_json(const ImportedNode& node, const std::vector<std::string>& files) {
  Json document{{"schema", kImportedTopologySchema}};
  document["source"] = {{"files", files}, {"formats", node.formats}};
  document["devices"] = Json::array();
  for (const auto& [index, device] : node.devices) {
    document["devices"].push_back(to_json(index, device));
  }
  document["links"] = Json::array();
  for (const Link& link : node.links) document["links"].push_back(to_json(link));
  document["peer_access"] = Json::array();
  for (const PeerAccess& access : node.peers) {
    document["peer_access"].push_back({{"from", access.from},
                                       {"to", access.to},
                                       {"status", access.status},
                                       {"granted", access.granted}});
  }
  document["matrices"] = Json::array();
  for (const PairMatrix& matrix : node.matrices) document["matrices"].push_back(to_json(matrix));
  document["network"] = node.network;
  document["software"] = node.software;
  document["notes"] = node.notes;
  return document;
}

}  // namespace splitbench
