#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "harness/cli/device_table.h"
#include "harness/cli/normality_screen.h"
#include "harness/cli/screen_text.h"
#include "harness/cli/topology_from.h"
#include "model/quantity_text.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string pcie_text(const Json& pcie) {
  const Json& generation =
      pcie.at("generation_most").is_null() ? pcie.at("generation_now") : pcie.at("generation_most");
  const Json& width =
      pcie.at("width_most").is_null() ? pcie.at("width_now") : pcie.at("width_most");
  if (generation.is_null() || width.is_null()) return {};
  return fmt::format("PCIe gen {} x{}", generation.dump(), width.dump());
}

std::string nvlink_text(const Json& rates) {
  if (rates.is_null()) return {};
  if (rates.empty()) return "no NVLink up";
  return fmt::format("{} NVLinks of {}", rates.size(),
                     to_text(BytesPerSecond(rates.front().get<double>())));
}

std::string mig_text(const Json& device) {
  if (device.at("mig") != true) return {};
  return fmt::format("MIG, {} instances", device.at("mig_instances").dump());
}

std::string device_text(const Json& device) {
  std::vector<std::string> parts;
  parts.push_back(device.at("name").is_null() ? "a GPU" : device["name"].get<std::string>());
  if (!device.at("memory_bytes").is_null()) {
    parts.push_back(fmt::format("{:.4g} GiB", device["memory_bytes"].get<double>() / 0x1p30));
  }
  if (!device.at("pci_bus_id").is_null()) parts.push_back(device["pci_bus_id"].get<std::string>());
  for (const std::string& part :
       {pcie_text(device.at("pcie")), nvlink_text(device.at("nvlinks_bytes_per_s")),
        mig_text(device)}) {
    if (!part.empty()) parts.push_back(part);
  }
  if (!device.at("numa_node").is_null()) {
    parts.push_back(fmt::format("NUMA node {}", device["numa_node"].dump()));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string measured_text(const Json& cell, bool is_time) {
  if (cell.is_null()) return "-";
  const double value = cell.get<double>() / (is_time ? 1e-6 : 1e9);
  return value >= 100.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::vector<int> numbers_to(std::size_t count) {
  std::vector<int> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::string matrix_text(const Json& matrix) {
  const bool is_time = matrix.at("unit") == "s";
  const Json& cells = matrix.at("cells");
  const std::string direction = matrix.at("direction").get<std::string>();
  const std::string title = wrapped(matrix.at("name").get<std::string>() + ", ",
                                    is_time ? "us" : "GB/s; row " + direction + " column", 2);
  return device_table(
      title.substr(0, title.size() - 1), matrix.at("rows").get<std::string>(),
      numbers_to(cells.size()), numbers_to(cells.front().size()), [&](int row, int column) {
        return measured_text(cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)],
                             is_time);
      });
}

std::string link_table(const Json& node) {
  std::vector<int> numbers;
  for (const Json& device : node.at("devices")) numbers.push_back(device.at("index").get<int>());
  const auto kind = [&](int from, int to) -> std::string {
    if (from == to) return "-";
    for (const Json& link : node.at("links")) {
      const int a = link.at("a").get<int>();
      const int b = link.at("b").get<int>();
      if ((a == from && b == to) || (a == to && b == from)) {
        const std::string name = link.at("kind").get<std::string>();
        return name == "unknown" && link.at("path") == "host-memory" ? "no P2P" : name;
      }
    }
    return "?";
  };
  return device_table("Links: NV is NVLink and how many, else as nvidia-smi topo -m", "from\\to",
                      numbers, numbers, kind);
}

}  // namespace

std::string pasted_topology_screen(const Json& node) {
  std::string text =
      wrapped("From ", fmt::format("{}", fmt::join(node.at("source").at("formats"), ", ")), 2);
  for (const Json& device : node.at("devices")) {
    text +=
        wrapped(fmt::format("  {:>3}  ", device.at("index").get<int>()), device_text(device), 7);
  }
  if (!node.at("links").empty()) text += link_table(node);
  for (const Json& matrix : node.at("matrices")) text += matrix_text(matrix);
  if (!node.at("network").empty()) {
    text += wrapped("\nNetwork: ", fmt::format("{}", fmt::join(node["network"], ", ")), 2);
  }
  text += normality_text(node.value("normal", Json::array()));
  for (const Json& note : node.at("notes")) text += wrapped("note: ", note.get<std::string>(), 2);
  return text;
}

}  // namespace splitbench::cli
