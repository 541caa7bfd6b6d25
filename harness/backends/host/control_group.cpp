#include "harness/backends/host/control_group.h"

#include <filesystem>
#include <fstream>
#include <vector>

namespace splitbench::host {
namespace {

std::optional<double> first_number(const std::filesystem::path& file) {
  std::ifstream in(file);
  double number = 0;
  if (in >> number) return number;
  return std::nullopt;  // absent, or "max"
}

std::optional<double> cores_of(const std::filesystem::path& group) {
  std::ifstream cpu_max(group / "cpu.max");
  double quota = 0;
  double period = 0;
  if (cpu_max >> quota >> period && period > 0) return quota / period;
  const auto quota_us = first_number(group / "cpu.cfs_quota_us");
  const auto period_us = first_number(group / "cpu.cfs_period_us");
  if (quota_us && period_us && *quota_us > 0 && *period_us > 0) return *quota_us / *period_us;
  return std::nullopt;
}

// Version 1 writes the largest number that pages can make where nothing limits.
std::optional<double> memory_of(const std::filesystem::path& group) {
  constexpr double kNoLimit = 0x1p62;
  auto limit = first_number(group / "memory.max");
  if (!limit) limit = first_number(group / "memory.limit_in_bytes");
  return limit && *limit > 0 && *limit < kNoLimit ? limit : std::nullopt;
}

// Where a controller's files of this process lie, and those of the groups above it. Lines of
// /proc/self/cgroup: "0::/path" (version 2), "4:cpu,cpuacct:/path" (version 1).
std::vector<std::filesystem::path> groups_of_this_process(const std::string& root,
                                                          const std::string& controller) {
  const std::filesystem::path mount = std::filesystem::path(root) / "sys/fs/cgroup";
  std::vector<std::filesystem::path> groups{mount, mount / controller};
  std::ifstream in(std::filesystem::path(root) / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::filesystem::path path = mount;
    if (!controllers.empty()) {
      if (("," + controllers + ",").find("," + controller + ",") == std::string::npos) continue;
      path /= controllers;
    }
    groups.push_back(path);
    for (const auto& part : std::filesystem::path(line.substr(second + 1)).relative_path()) {
      path /= part;
      groups.push_back(path);
    }
  }
  return groups;
}

using Reading = std::optional<double> (*)(const std::filesystem::path& group);

std::optional<double> least(const std::string& root, const std::string& controller,
                            Reading reading) {
  std::optional<double> found;
  for (const auto& group : groups_of_this_process(root, controller)) {
    const auto value = reading(group);
    if (value && (!found || *value < *found)) found = value;
  }
  return found;
}

}  // namespace

double quota_cores(const std::string& root) {
  return least(root, "cpu", cores_of).value_or(0.0);
}

std::optional<double> memory_limit(const std::string& root) {
  return least(root, "memory", memory_of);
}

}  // namespace splitbench::host
