#include "results/node.h"

#include <array>

#include "model/invalid_input.h"
#include "protocols/named.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<Named<TimesAre>, 4> kTimes{{
    {TimesAre::measured, "measured", "real devices, real clocks"},
    {TimesAre::simulated, "virtual", "virtual time of a simulation"},
    {TimesAre::tabulated, "tabulated", "looked up in tables of times"},
    {TimesAre::stand_in, "stand-in", "CPU libraries in place of the vendor's"},
}};

constexpr std::array<Named<Path>, 5> kPaths{{
    {Path::gpu_link, "gpu-link", "a link between GPUs"},
    {Path::host_memory, "host-memory", "through the memory of the host"},
    {Path::network, "network", "from one machine to another"},
    {Path::same_device, "same-device", "two ranks on one device"},
    {Path::unknown, "unknown", "not to be found out here"},
}};

template <class Enum>
Enum named(std::span<const Named<Enum>> table, const char* field, std::string_view name) {
  if (const auto found = find_in(table, name)) return *found;
  throw InvalidInput(field, std::string("unknown ") + field + " '" + std::string(name) + "'");
}

// A count of bytes, which JSON Schema wants written as a whole number.
std::int64_t whole_bytes(Bytes size) {
  return static_cast<std::int64_t>(size.value());
}

Json to_json(const Device& device) {
  Json document{{"name", device.name}};
  if (device.uuid) document["uuid"] = *device.uuid;
  document["memory_bytes"] = whole_bytes(device.memory);
  for (const auto& [key, value] : device.more.items()) document[key] = value;
  return document;
}

Device device_from_json(const Json& document) {
  Device device;
  device.name = document.at("name").get<std::string>();
  if (document.contains("uuid")) device.uuid = document["uuid"].get<std::string>();
  device.memory = Bytes(document.at("memory_bytes").get<double>());
  device.more = document;
  for (const char* key : {"name", "uuid", "memory_bytes"}) device.more.erase(key);
  return device;
}

Link link_from_json(const Json& document) {
  Link link{.a = document.at("a").get<int>(),
            .b = document.at("b").get<int>(),
            .kind = document.at("kind").get<std::string>(),
            .path = path_between(document.at("path").get<std::string>()),
            .more = document};
  for (const char* key : {"a", "b", "kind", "path"}) link.more.erase(key);
  return link;
}

}  // namespace

std::string_view name(TimesAre times) {
  return name_in<TimesAre>(kTimes, times);
}
std::string_view description(TimesAre times) {
  for (const Named<TimesAre>& entry : kTimes) {
    if (entry.value == times) return entry.description;
  }
  return {};
}
TimesAre times_are(std::string_view name) {
  return named<TimesAre>(kTimes, "times_are", name);
}

std::string_view name(Path path) {
  return name_in<Path>(kPaths, path);
}
Path path_between(std::string_view name) {
  return named<Path>(kPaths, "path", name);
}

std::string summary(const NodeDescription& node) {
  std::string text;
  const auto& devices = node.devices;
  for (std::size_t first = 0, next = 0; first < devices.size(); first = next) {
    while (next < devices.size() && devices[next].name == devices[first].name) ++next;
    if (!text.empty()) text += " + ";
    if (next - first > 1) text += std::to_string(next - first) + " x ";
    text += devices[first].name;
  }
  return text;
}

Json to_json(const Link& link) {
  Json document{{"a", link.a}, {"b", link.b}, {"kind", link.kind}, {"path", name(link.path)}};
  for (const auto& [key, value] : link.more.items()) document[key] = value;
  return document;
}

Json to_json(const NodeDescription& node) {
  Json document;
  document["backend"] = node.backend;
  document["times_are"] = name(node.times_are);
  document["devices"] = Json::array();
  for (const Device& device : node.devices) document["devices"].push_back(to_json(device));
  document["links"] = Json::array();
  for (const Link& link : node.links) document["links"].push_back(to_json(link));
  document["software"] = node.software;
  document["notes"] = node.notes;
  if (!node.no_verdict.empty()) document["no_verdict"] = node.no_verdict;
  return document;
}

NodeDescription node_from_json(const Json& document) {
  NodeDescription node;
  node.backend = document.at("backend").get<std::string>();
  node.times_are = times_are(document.at("times_are").get<std::string>());
  for (const Json& device : document.at("devices")) {
    node.devices.push_back(device_from_json(device));
  }
  for (const Json& link : document.at("links")) node.links.push_back(link_from_json(link));
  node.software = document.at("software");
  node.notes = document.at("notes").get<std::vector<std::string>>();
  node.no_verdict = document.value("no_verdict", "");
  return node;
}

}  // namespace splitbench
