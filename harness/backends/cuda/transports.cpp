#include "harness/backends/cuda/transports.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace splitbench::cuda {
namespace {

using Variables = std::map<std::string, std::string>;
using Json = nlohmann::ordered_json;

// Empty where it is not set.
std::string value_of(const Variables& variables, const char* name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

// Of a switch that is off by default; nothing for a value of which nobody says what it does.
std::optional<bool> is_on(const std::string& value) {
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  return std::nullopt;
}

template <std::size_t Count>
bool is_among(const std::array<std::string_view, Count>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Whether devices on one NVLink are near enough. LOC, 0 in the older numbering, is no other device;
// all further levels reach farther than NVL.
std::optional<bool> reaches_over_nvlink(const std::string& level) {
  constexpr std::array<std::string_view, 1 + 5 + 5> kReaching{
      "", "NVL", "PIX", "PXB", "PHB", "SYS", "1", "2", "3", "4", "5"};
  constexpr std::array<std::string_view, 2> kNowhere{"LOC", "0"};
  if (is_among(kReaching, level)) return true;
  if (is_among(kNowhere, level)) return false;
  return std::nullopt;
}

std::optional<bool> peers(const Variables& variables) {
  for (const char* file : {"NCCL_TOPO_FILE", "NCCL_GRAPH_FILE"}) {
    if (!value_of(variables, file).empty()) return std::nullopt;
  }
  const auto disabled = is_on(value_of(variables, "NCCL_P2P_DISABLE"));
  if (disabled == true) return false;
  const auto reaches = reaches_over_nvlink(value_of(variables, "NCCL_P2P_LEVEL"));
  return disabled.has_value() ? reaches : std::nullopt;
}

Json json_of(std::optional<bool> open) {
  return open ? Json(*open) : Json(nullptr);
}

}  // namespace

Transports transports(const Variables& variables) {
  const auto disabled = is_on(value_of(variables, "NCCL_SHM_DISABLE"));
  return {.peers = peers(variables),
          .shared_memory = disabled ? std::optional(!*disabled) : std::nullopt};
}

Json to_json(const Transports& transports) {
  return {{"peers", json_of(transports.peers)},
          {"shared_memory", json_of(transports.shared_memory)}};
}

}  // namespace splitbench::cuda
