#include "results/run_place.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <tuple>

namespace splitbench {
namespace {

// "0000:1b:00" and "00000000:1B:00.0" are one: domain, bus and device, in hexadecimal.
using Address = std::tuple<unsigned, unsigned, unsigned>;

std::optional<unsigned> hexadecimal(std::string_view digits) {
  unsigned value = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value, 16);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

std::optional<Address> address_in(std::string_view text) {
  const std::size_t bus = text.find(':');
  const std::size_t device = text.find(':', bus == std::string_view::npos ? text.size() : bus + 1);
  if (device == std::string_view::npos) return std::nullopt;
  const auto first = hexadecimal(text.substr(0, bus));
  const auto second = hexadecimal(text.substr(bus + 1, device - bus - 1));
  const std::string_view rest = text.substr(device + 1);
  const auto third = hexadecimal(rest.substr(0, rest.find('.')));
  if (!first || !second || !third) return std::nullopt;
  return Address{*first, *second, *third};
}

std::vector<int> all_devices(const ImportedNode& node) {
  std::vector<int> numbers;
  for (const auto& [number, device] : node.devices) numbers.push_back(number);
  return numbers;
}

// None where ranks share a number: every process may see a device 0 of its own.
std::optional<std::set<int>> numbers_of(const CollectiveRun& run, const ImportedNode& node) {
  std::set<int> numbers;
  for (const RunDevice& device : run.devices) {
    const auto number = number_on(node, device);
    if (!number || !numbers.insert(*number).second) return std::nullopt;
  }
  return numbers;
}

}  // namespace

std::optional<int> number_on(const ImportedNode& node, const RunDevice& device) {
  const auto address = address_in(device.bus);
  for (const auto& [number, known] : node.devices) {
    if (address && known.bus && address_in(*known.bus) == address) return number;
  }
  if (!device.number || *device.number < 0 ||
      *device.number >= static_cast<long long>(kMostRunDevices)) {
    return std::nullopt;
  }
  const auto number = static_cast<int>(*device.number);
  const auto there = node.devices.find(number);
  const bool is_another = address && there != node.devices.end() && there->second.bus &&
                          address_in(*there->second.bus) != address;
  return is_another ? std::nullopt : std::optional(number);
}

RunPlace place_of(const CollectiveRun& run, const ImportedNode& node) {
  if (is_on_several_hosts(run)) {
    return {{}, "its ranks are on several hosts, whose link is the network between them"};
  }
  if (shares_a_device(run)) return {{}, "two of its ranks are on one GPU"};
  const auto ranks = static_cast<std::size_t>(run.ranks.value_or(0));
  if (ranks == 0) return {};
  const auto numbers =
      run.devices.size() == ranks ? numbers_of(run, node) : std::optional<std::set<int>>();
  if (!numbers) {
    return {ranks == node.devices.size() ? all_devices(node) : std::vector<int>(), ""};
  }
  for (const int number : *numbers) {
    if (node.devices.contains(number)) continue;
    return {{}, fmt::format("the texts of the node name no device {}", number)};
  }
  return {{numbers->begin(), numbers->end()}, ""};
}

std::string numbers_text(const std::vector<int>& devices) {
  return fmt::format("{}", fmt::join(devices, ", "));
}

}  // namespace splitbench
