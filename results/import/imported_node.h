// A node as other tools describe it: devices, how they are joined, what was measured between them.
// A paste may hold the output of several tools; each adds what it says to the same node. What none
// says is not there: nothing is concluded from a model's name.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/quantity.h"
#include "results/node.h"

namespace splitbench {

// What PCIe negotiated. `now` is what was read, on an idle device often less than what it does
// under load: never a fault by itself.
struct PcieLink {
  std::optional<int> generation_now;
  std::optional<int> generation_most;
  std::optional<int> width_now;
  std::optional<int> width_most;
};

struct ImportedDevice {
  std::string name;  // empty where nothing tells
  bool name_is_cut = false;
  std::string named_by;  // the format of the text that has the name
  std::optional<std::string> uuid;
  std::optional<std::string> bus;  // "00000000:b4:00.0", as the tool writes it, in lower case
  std::optional<Bytes> memory;
  std::optional<int> numa_node;
  std::optional<std::string> cpu_affinity;  // "0-23,48-71"
  std::optional<bool> mig;                  // divided into instances, or could be
  int mig_instances = 0;
  PcieLink pcie;
  std::optional<std::vector<BytesPerSecond>> nvlinks;  // of those that are up, each one way
  std::optional<std::string> no_nvlinks;  // why none is shown, in the words of the tool
};

// Whether one device may reach another's memory, as a driver says it: "OK", "NS", "CNS", ...
struct PeerAccess {
  int from = 0;
  int to = 0;
  std::string status;
  bool granted = false;

  friend bool operator==(const PeerAccess&, const PeerAccess&) = default;
};

// Rates or times of copies between devices, or between the host and them.
struct PairMatrix {
  std::string name;       // "device_to_device_memcpy_read_ce", "Unidirectional P2P=Enabled ..."
  std::string unit;       // "bytes_per_s" or "s"
  std::string rows;       // what a row is: "device" or "host"
  std::string direction;  // what the bytes do between row and column: "->", "<-", "<->"
  std::size_t line = 0;
  std::vector<std::vector<std::optional<double>>> cells;  // of rows, in base units

  friend bool operator==(const PairMatrix&, const PairMatrix&) = default;
};

// One that its tool did not pass, and why: no evidence of anything.
struct UnusedMatrix {
  PairMatrix matrix;
  std::string why;

  friend bool operator==(const UnusedMatrix&, const UnusedMatrix&) = default;
};

// More are no node, and what is said of pairs would take long.
inline constexpr std::size_t kMostNodeDevices = 128;

struct ImportedNode {
  std::vector<std::string> formats;       // what the text was, in the order of reading
  std::map<int, ImportedDevice> devices;  // by the tool's own number
  std::vector<std::string> network;       // adapters, in the tool's words
  std::vector<Link> links;                // `a`, `b`: numbers of devices, a < b
  std::vector<PeerAccess> peers;
  std::vector<PairMatrix> matrices;
  std::vector<UnusedMatrix> unused;
  std::map<std::string, std::string> software;  // "driver", "cuda", ...
  std::vector<std::string> notes;
};

// "NV12" -> over NVLink; else what lies between two devices does not say whether they reach each
// other's memory, and the path is not known.
Path path_of_kind(const std::string& kind);

// When all is read: one link for each pair, and the paths that peer access tells, for without it
// bytes go through the memory of the host. What two tools say differently is noted.
void settle(ImportedNode& node);

}  // namespace splitbench
