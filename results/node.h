// What a run ran on: devices, how they are joined, the software between, and what kind of times it
// gives. A backend describes it; the result document carries it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/quantity.h"

namespace splitbench {

// What the times of a result are. Only like kinds are ever compared.
enum class TimesAre {
  measured,   // real devices, real clocks
  simulated,  // virtual time: "virtual" in documents
  tabulated,  // looked up in tables of times
  stand_in,   // the cuda backend on CPU libraries in place of the vendor's: "stand-in"
};
std::string_view name(TimesAre times);
std::string_view description(TimesAre times);  // in a few words, for people
// These, and the ones like them below, throw InvalidInput for a name they do not know.
TimesAre times_are(std::string_view name);

struct Device {
  std::string name;                 // as the vendor says it; a CPU core says that it is one
  std::optional<std::string> uuid;  // of a GPU
  Bytes memory{};                   // what it can hold
  nlohmann::ordered_json more =
      nlohmann::ordered_json::object();  // what this backend knows besides, under keys of its own

  friend bool operator==(const Device&, const Device&) = default;
};

// What lies between two devices.
enum class Path { gpu_link, host_memory, network, same_device, unknown };
std::string_view name(Path path);
Path path_between(std::string_view name);

struct Link {
  int a = 0;  // indices into Node::devices
  int b = 0;
  std::string kind;  // "NV12", "PIX", "shared L3", ... in the vendor's words
  Path path = Path::unknown;
  nlohmann::ordered_json more =
      nlohmann::ordered_json::object();  // what this backend knows besides, under keys of its own

  friend bool operator==(const Link&, const Link&) = default;
};

struct NodeDescription {
  std::string backend;  // "host", "cuda", ...
  TimesAre times_are = TimesAre::measured;
  std::vector<Device> devices;  // one per rank, in rank order
  std::vector<Link> links;
  nlohmann::ordered_json software = nlohmann::ordered_json::object();  // library: version
  std::vector<std::string> notes;  // what weakens a result here, a sentence each
  std::string no_verdict;          // why no time here may be judged; empty where it may

  friend bool operator==(const NodeDescription&, const NodeDescription&) = default;
};

// Its devices in a few words: "2 x NVIDIA H200", "NVIDIA H200 + NVIDIA L4".
std::string summary(const NodeDescription& node);

// Every member under its name; those of Device::more and Link::more among their own. The way back
// throws nlohmann::json::exception for what is missing or of another type.
nlohmann::ordered_json to_json(const Link& link);
nlohmann::ordered_json to_json(const NodeDescription& node);
NodeDescription node_from_json(const nlohmann::ordered_json& document);

}  // namespace splitbench
