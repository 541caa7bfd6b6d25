#include "harness/preflight/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// What the fact is, null where it was not learned.
Json fact(const Json& facts, const char* risk, const char* key) {
  if (!facts.contains(risk) || !facts[risk].contains(key)) return nullptr;
  return facts[risk][key];
}

Json managed(const Json& facts, const std::string& address) {
  for (const Json& device : fact(facts, "management", "devices")) {
    if (device.at("pci_bus_id") == address) return device;
  }
  return nullptr;
}

// Source: nvml.h, nvmlGpuTopologyLevel; the names are those of nvidia-smi topo -m.
std::string ancestor_name(int level) {
  switch (level) {
    case 0:
      return "same board";
    case 10:
      return "PIX";
    case 20:
      return "PXB";
    case 30:
      return "PHB";
    case 40:
      return "NODE";
    case 50:
      return "SYS";
    default:
      return "unknown";
  }
}

bool is_device(const Json& devices, const Json& address) {
  return std::any_of(devices.begin(), devices.end(),
                     [&](const Json& device) { return device.at("pci_bus_id") == address; });
}

struct Joints {
  int direct = 0;     // active NVLinks that end at the other device
  int to_switch = 0;  // that end at something which is no device
};

// Nothing where the links are not known.
std::optional<Joints> joints(const Json& device, const Json& other, const Json& all) {
  if (device.is_null() || device.at("nvlinks").is_null()) return std::nullopt;
  Joints count;
  for (const Json& link : device["nvlinks"]) {
    if (!link.at("active").get<bool>() || link.at("to").is_null()) continue;
    if (link["to"] == other.at("pci_bus_id")) {
      ++count.direct;
    } else if (!is_device(all, link["to"])) {
      ++count.to_switch;
    }
  }
  return count;
}

std::optional<int> nvlinks_between(const Json& a, const Json& b, const Json& all) {
  if (a.is_null() || b.is_null()) return std::nullopt;
  const auto from_a = joints(a, b, all);
  const auto from_b = joints(b, a, all);
  if (!from_a || !from_b) return std::nullopt;
  const int direct = std::min(from_a->direct, from_b->direct);
  return direct > 0 ? direct : std::min(from_a->to_switch, from_b->to_switch);
}

Json granted(const Json& facts, const Json& from, const Json& to) {
  for (const Json& pair : fact(facts, "peers", "pairs")) {
    if (pair.at("from") == from && pair.at("to") == to) return pair.at("granted");
  }
  return nullptr;
}

// Whether a way is open, as the fact has it: nothing where nobody knows.
std::optional<bool> is_open(const Json& facts, const char* transport) {
  const Json all = fact(facts, "runtime", "transports");
  if (all.is_null() || all.at(transport).is_null()) return std::nullopt;
  return all[transport].get<bool>();
}

// NCCL takes the memory of the host where peers are closed to it, and the network where that is,
// too. With a way closed that peers do without it may still choose otherwise: not known. `granted`:
// peer access both ways; nothing where nobody looked.
Path path_left(const Json& facts, bool over_nvlink, std::optional<bool> granted) {
  const auto peers = granted == false ? std::optional(false) : is_open(facts, "peers");
  const auto shared_memory = is_open(facts, "shared_memory");
  if (!peers || !shared_memory) return Path::unknown;
  if (!*peers) return *shared_memory ? Path::host_memory : Path::network;
  return over_nvlink && granted == true && *shared_memory ? Path::gpu_link : Path::unknown;
}

std::optional<bool> granted_both_ways(const Json& forth, const Json& back) {
  if (forth == false || back == false) return false;
  if (forth.is_null() || back.is_null()) return std::nullopt;
  return true;
}

Link link_between(const Json& facts, const Json& devices, int a, int b) {
  const Json& one = devices[static_cast<std::size_t>(a)];
  const Json& other = devices[static_cast<std::size_t>(b)];
  if (one.at("index") == other.at("index")) {
    return {.a = a, .b = b, .kind = "same device", .path = Path::same_device};
  }
  const Json all = fact(facts, "management", "devices");
  const Json one_managed = managed(facts, one.at("pci_bus_id").get<std::string>());
  const Json other_managed = managed(facts, other.at("pci_bus_id").get<std::string>());
  const auto nvlinks = nvlinks_between(one_managed, other_managed, all);
  const Json forth = granted(facts, one.at("index"), other.at("index"));
  const Json back = granted(facts, other.at("index"), one.at("index"));

  Json ancestor = nullptr;
  if (!one_managed.is_null()) {
    const std::string address = other.at("pci_bus_id").get<std::string>();
    const Json& ancestors = one_managed.at("common_ancestors");
    if (ancestors.contains(address)) ancestor = ancestor_name(ancestors[address].get<int>());
  }

  Link link{.a = a, .b = b, .kind = "unknown", .path = Path::unknown};
  Json rate = nullptr;
  if (nvlinks && *nvlinks > 0) {
    link.kind = fmt::format("NV{}", *nvlinks);
    const Json& each = one_managed.at("nvlink_bytes_per_s");
    if (!each.is_null()) rate = *nvlinks * each.get<double>();
  } else if (!ancestor.is_null()) {
    link.kind = ancestor.get<std::string>();
  }
  link.path = path_left(facts, nvlinks.value_or(0) > 0, granted_both_ways(forth, back));
  link.more = {{"nvlinks", nvlinks ? Json(*nvlinks) : Json(nullptr)},
               {"nvlink_bytes_per_s", rate},
               {"common_ancestor", ancestor},
               {"peer_access", {{"a_to_b", forth}, {"b_to_a", back}}}};
  return link;
}

}  // namespace

Json devices_of(const Json& facts) {
  Json devices = Json::array();
  for (Json device : fact(facts, "runtime", "devices")) {
    const Json of_management = managed(facts, device.at("pci_bus_id").get<std::string>());
    for (const char* key : {"numa_node", "pcie", "nvlinks", "nvlink_bytes_per_s"}) {
      device[key] = of_management.is_null() ? Json(nullptr) : of_management.at(key);
    }
    devices.push_back(std::move(device));
  }
  return devices;
}

std::vector<Link> links_of(const Json& facts) {
  const Json devices = devices_of(facts);
  std::vector<Link> links;
  const auto count = static_cast<int>(devices.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) links.push_back(link_between(facts, devices, a, b));
  }
  return links;
}

std::optional<BestPair> best_pair(const Json& facts) {
  constexpr double kAlike = 0.95;
  std::map<std::pair<int, int>, double> slower_way;
  for (const Json& copy : fact(facts, "copies", "copies")) {
    if (copy.at("bandwidth_bytes_per_s").is_null()) return std::nullopt;
    const int from = copy.at("from").get<int>();
    const int to = copy.at("to").get<int>();
    const double rate = copy["bandwidth_bytes_per_s"].get<double>();
    const auto [entry, is_new] =
        slower_way.try_emplace({std::min(from, to), std::max(from, to)}, rate);
    if (!is_new) entry->second = std::min(entry->second, rate);
  }
  if (slower_way.empty()) return std::nullopt;
  double fastest = 0;
  for (const auto& [pair, rate] : slower_way) fastest = std::max(fastest, rate);
  std::vector<BestPair> best;
  for (const auto& [pair, rate] : slower_way) {
    if (rate >= kAlike * fastest) {
      best.push_back({.a = pair.first, .b = pair.second, .bytes_per_s = rate});
    }
  }
  best.front().is_one_of_many = best.size() > 1;
  return best.front();
}

}  // namespace splitbench
