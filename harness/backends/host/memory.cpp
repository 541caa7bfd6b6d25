#include "harness/backends/host/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "harness/backends/host/control_group.h"

namespace splitbench::host {
namespace {

// Lines of /proc/meminfo: "MemAvailable:    7654321 kB", where kB are 1024 bytes.
std::optional<double> available_by_the_system(const std::filesystem::path& root) {
  std::ifstream in(root / "proc/meminfo");
  std::string name;
  double kib = 0.0;
  for (std::string rest; in >> name >> kib; std::getline(in, rest)) {
    if (name == "MemAvailable:") return kib * 1024.0;
  }
  return std::nullopt;
}

}  // namespace

// All points live at once, but those that differ in tokens alone share their weights: whole and
// shard. The reference of one layer in float64 takes five times a layer's weights for a while.
Bytes memory_needed(const Protocol& protocol) {
  std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> shapes;
  Bytes kept{};
  Bytes largest_check{};
  for (const Operation& op : protocol.points) {
    const Bytes weights = weight_bytes(op);
    if (shapes.insert({op.d_model, op.d_ff, op.layers}).second) {
      kept += weights * (1.0 + 1.0 / protocol.ranks);
    }
    const double hidden = static_cast<double>(op.tokens) * static_cast<double>(op.d_ff);
    kept += Bytes(4.0 * hidden) + message_bytes(op) * 8.0;
    largest_check = std::max(
        largest_check, weights * (5.0 / static_cast<double>(op.layers)) + Bytes(32.0 * hidden));
  }
  return (kept + largest_check) * protocol.ranks;
}

Bytes available_memory(const std::string& root) {
  const auto system = available_by_the_system(root);
  const auto group = memory_limit(root);
  if (!system || !group) return Bytes(system.value_or(group.value_or(0.0)));
  return Bytes(std::min(*system, *group));
}

std::optional<CannotRunHere> lack_of_memory(const Protocol& protocol, const std::string& root) {
  const double needed = memory_needed(protocol).value();
  const double there = available_memory(root).value();
  if (there == 0.0 || needed <= 0.8 * there) return std::nullopt;
  return CannotRunHere(
      fmt::format(
          "the operation needs about {:.3g} GB over {} ranks, and {:.3g} GB can be used here",
          needed * 1e-9, protocol.ranks, there * 1e-9),
      "take a smaller operation (--tokens, --d-model, --d-ff, --layers), or a machine or container "
      "with more memory");
}

}  // namespace splitbench::host
