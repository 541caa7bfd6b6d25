#include "harness/cli/topology_screen.h"

#include <fmt/format.h>

#include <functional>

#include "harness/cli/device_table.h"
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

std::string use_text(const Json& topology) {
  const Json& use = topology.at("use");
  if (use.is_null()) {
    return wrapped(
        "Which pair to use is unknown: ", topology.at("reasons").at("use").get<std::string>(), 2);
  }
  const std::string words = fmt::format(
      "{} and {} ({} GB/s each way, {}; --devices {},{}){}", use.at("a").dump(), use.at("b").dump(),
      number(use.at("bytes_per_s"), 1e9), use.at("path").get<std::string>(), use["a"].dump(),
      use["b"].dump(), use.at("is_one_of_many").get<bool>() ? "; other pairs are as fast" : "");
  return wrapped("Split over two: devices ", words, 2);
}

std::string flow_text(const Json& flow) {
  std::string words;
  for (const Json& arrow : flow) {
    words += fmt::format("{}{} {:.4g} bytes {}", words.empty() ? "" : " -> ",
                         arrow.at("arrow").get<std::string>(), arrow.at("bytes").get<double>(),
                         arrow.at("path").get<std::string>());
  }
  return wrapped("The way of bytes over this pair: ", words, 2);
}

}  // namespace

std::string topology_screen(const Json& topology) {
  std::vector<int> devices;
  for (const Json& device : topology.at("devices")) {
    devices.push_back(device.at("index").get<int>());
  }
  const auto kind = [&](int from, int to) -> std::string {
    for (const Json& link : topology.at("links")) {
      const int a = devices.at(link.at("a").get<std::size_t>());
      const int b = devices.at(link.at("b").get<std::size_t>());
      if ((a == from && b == to) || (a == to && b == from)) return link.at("kind");
    }
    return "?";
  };
  const auto copies = [&](const char* key, double unit) -> Cell {
    return [&topology, key, unit](int from, int to) -> std::string {
      for (const Json& copy : topology.at("copies")) {
        if (copy.at("from") == from && copy.at("to") == to) return number(copy.at(key), unit);
      }
      return "?";
    };
  };
  std::string text = fmt::format("{} devices, times are {}\n", devices.size(),
                                 topology.at("times_are").get<std::string>());
  text += device_lines(topology["devices"]);
  text += matrix("Links: NV is NVLink and how many, else as nvidia-smi topo -m", devices, kind);
  text += matrix("Copies one way, GB/s", devices, copies("bandwidth_bytes_per_s", 1e9));
  text += matrix("Copies both ways at once, GB/s", devices, copies("both_ways_bytes_per_s", 1e9));
  text += matrix("A copy of 4 bytes, us", devices, copies("latency_s", 1e-6));
  text += '\n';
  text += use_text(topology);
  if (!topology.at("use").is_null()) text += flow_text(topology.at("flow"));
  return text;
}

}  // namespace splitbench::cli
