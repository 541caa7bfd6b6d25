#include "harness/cli/topology_screen.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "harness/cli/device_table.h"
#include "harness/cli/normality_screen.h"
#include "harness/cli/screen_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

// What stands in the table for two devices, by their numbers.
using Cell = std::function<std::string(int from, int to)>;

std::string or_unknown(const Json& value) {
  if (value.is_null()) return "unknown";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string pcie_text(const Json& pcie) {
  if (pcie.is_null() || pcie.at("generation").is_null() || pcie.at("width").is_null()) {
    return "unknown";
  }
  return fmt::format("gen {} x{}", pcie["generation"].dump(), pcie["width"].dump());
}

std::string device_lines(const Json& devices) {
  std::string text;
  for (const Json& device : devices) {
    text +=
        wrapped(fmt::format("  {:>3}  ", device.at("index").get<int>()),
                fmt::format("{}, {}, PCIe {}, NUMA node {}", device.at("name").get<std::string>(),
                            device.at("pci_bus_id").get<std::string>(),
                            pcie_text(device.at("pcie")), or_unknown(device.at("numa_node"))),
                7);
  }
  return text;
}

std::string matrix(const std::string& title, const std::vector<int>& devices, const Cell& cell) {
  return device_table(title, "from\\to", devices, devices, [&](int from, int to) {
    return from == to ? std::string("-") : cell(from, to);
  });
}

std::string number(const Json& value, double unit) {
  if (value.is_null()) return "?";
  const double scaled = value.get<double>() / unit;
  return scaled >= 100 ? fmt::format("{:.0f}", scaled) : fmt::format("{:.3g}", scaled);
}

const Json* link_between(const Json& topology, int from, int to) {
  const auto index = [&](const Json& position) {
    return topology.at("devices")[position.get<std::size_t>()].at("index");
  };
  for (const Json& link : topology.at("links")) {
    const Json a = index(link.at("a"));
    const Json b = index(link.at("b"));
    if ((a == from && b == to) || (a == to && b == from)) return &link;
  }
  return nullptr;
}

// Copies take peer access; messages may not, where variables close it to NCCL.
std::string other_way(const Json& topology) {
  const Json& use = topology.at("use");
  const Json* link = link_between(topology, use.at("a").get<int>(), use.at("b").get<int>());
  const Json access = link == nullptr ? Json() : link->value("peer_access", Json());
  const bool granted = access.is_object() && access["a_to_b"] == true && access["b_to_a"] == true;
  const bool through_host = use.at("path") == "host-memory" || use.at("path") == "network";
  return granted && through_host ? ", not as the copies" : "";
}

std::string use_text(const Json& topology) {
  const Json& use = topology.at("use");
  if (use.is_null()) {
    return wrapped(
        "Which pair to use is unknown: ", topology.at("reasons").at("use").get<std::string>(), 2);
  }
  const std::string words = fmt::format(
      "{} and {} (copies: {} GB/s each way; messages: {}{}; --devices {},{}){}", use.at("a").dump(),
      use.at("b").dump(), number(use.at("bytes_per_s"), 1e9), use.at("path").get<std::string>(),
      other_way(topology), use["a"].dump(), use["b"].dump(),
      use.at("is_one_of_many").get<bool>() ? "; other pairs are as fast" : "");
  return wrapped("Split over two: devices ", words, 2);
}

std::string operation_text(const Json& operation) {
  return fmt::format("{} x d_model {}, d_ff {}, {}, {}",
                     counted(operation.at("tokens").get<long long>(), "token"),
                     operation.at("d_model").dump(), operation.at("d_ff").dump(),
                     counted(operation.at("layers").get<long long>(), "layer"),
                     operation.at("dtype").get<std::string>());
}

std::string flow_text(const Json& topology) {
  const Json& of = topology.at("flow_of");
  std::string words = fmt::format("{} (protocol {}): ", operation_text(of.at("operation")),
                                  of.at("protocol").get<std::string>());
  bool first = true;
  for (const Json& arrow : topology.at("flow")) {
    words += fmt::format("{}{} {} {}", first ? "" : " -> ", arrow.at("arrow").get<std::string>(),
                         number_text(arrow.at("bytes").get<double>(), std::nullopt, Unit::bytes),
                         arrow.at("path").get<std::string>());
    first = false;
  }
  return wrapped("The way of bytes over this pair, for ", words, 2);
}

// A cell of what a link says.
Cell of_link(const Json& topology, std::function<std::string(const Json& link, bool forth)> text) {
  return [&topology, text = std::move(text)](int from, int to) -> std::string {
    const Json* link = link_between(topology, from, to);
    if (link == nullptr) return "?";
    const auto a = link->at("a").get<std::size_t>();
    return text(*link, topology.at("devices")[a].at("index") == from);
  };
}

Cell of_copies(const Json& topology, const char* key, double unit) {
  return [&topology, key, unit](int from, int to) -> std::string {
    for (const Json& copy : topology.at("copies")) {
      if (copy.at("from") == from && copy.at("to") == to) return number(copy.at(key), unit);
    }
    return "?";
  };
}

std::string kind_text(const Json& link, bool) {
  return link.at("kind").get<std::string>();
}

std::string nvlink_rate_text(const Json& link, bool) {
  if (link.value("nvlinks", Json(nullptr)) == 0) return "none";
  return number(link.value("nvlink_bytes_per_s", Json(nullptr)), 1e9);
}

std::string path_text(const Json& link, bool) {
  const auto path = link.at("path").get<std::string>();
  if (path == "gpu-link") return "gpu";
  if (path == "host-memory") return "host";
  if (path == "network") return "net";
  return path == "same-device" ? "same" : "?";
}

std::string access_text(const Json& link, bool forth) {
  const Json access = link.value("peer_access", Json::object());
  const Json granted = access.value(forth ? "a_to_b" : "b_to_a", Json(nullptr));
  if (granted.is_null()) return "?";
  return granted.get<bool>() ? "yes" : "no";
}

}  // namespace

std::string topology_screen(const Json& topology) {
  std::vector<int> devices;
  for (const Json& device : topology.at("devices")) {
    devices.push_back(device.at("index").get<int>());
  }
  if (devices.empty()) {
    return wrapped("Which devices there are is not known: ",
                   topology.at("reasons").at("devices").get<std::string>(), 2);
  }
  std::string text = fmt::format("{} devices, times are {}\n", devices.size(),
                                 topology.at("times_are").get<std::string>());
  text += device_lines(topology["devices"]);
  text += matrix("Links: NV is NVLink and how many, else as nvidia-smi topo -m", devices,
                 of_link(topology, kind_text));
  text += matrix("NVLink by its specification, GB/s one way", devices,
                 of_link(topology, nvlink_rate_text));
  text += matrix("Path of messages: gpu link, host memory, network, same device, ? unknown",
                 devices, of_link(topology, path_text));
  text += matrix("Peer access", devices, of_link(topology, access_text));
  text +=
      matrix("Copies one way, GB/s", devices, of_copies(topology, "bandwidth_bytes_per_s", 1e9));
  text += matrix("Copies both ways at once, GB/s", devices,
                 of_copies(topology, "both_ways_bytes_per_s", 1e9));
  text += matrix("A copy of 4 bytes, us", devices, of_copies(topology, "latency_s", 1e-6));
  text += '\n';
  text += normality_text(topology.value("normal", Json::array()));
  text += use_text(topology);
  if (!topology.at("use").is_null()) text += flow_text(topology);
  return text;
}

}  // namespace splitbench::cli
