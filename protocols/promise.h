// What a node was promised to be, written down so that it can be held against the node. The format
// is protocols/FORMAT.md "Promises".
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/quantity.h"
#include "protocols/document.h"
#include "protocols/named.h"

namespace splitbench {

inline constexpr std::string_view kPromiseSchema = "splitbench.promise/1";

// From the nearest to the farthest: a link of its own between GPUs, then what nvidia-smi topo -m
// calls the way over PCIe.
enum class Nearness { gpu_link, pix, pxb, phb, node, sys };
std::span<const Named<Nearness>> nearnesses();
std::string_view name(Nearness nearness);

struct PromisedLink {
  std::optional<std::pair<int, int>> between;  // numbers of devices; none: every two
  std::optional<Nearness> kind;                // this or nearer
  std::optional<int> gpu_links;                // at least so many
  std::optional<BytesPerSecond> rate;          // of a copy, one way, at least

  friend bool operator==(const PromisedLink&, const PromisedLink&) = default;
};

struct PromisedSpeedup {
  std::string protocol;
  double at_least = 1.0;  // at every point of it

  friend bool operator==(const PromisedSpeedup&, const PromisedSpeedup&) = default;
};

struct Promise {
  int count = 0;                // of devices, at least
  std::string model;            // empty: any
  std::optional<Bytes> memory;  // of each device, at least
  std::optional<int> pcie_generation;
  std::optional<int> pcie_width;
  bool one_numa_node = false;  // all devices at the same
  std::vector<PromisedLink> links;
  std::vector<PromisedSpeedup> speedups;

  friend bool operator==(const Promise&, const Promise&) = default;
};

// Throws BadDocument; `file` is the name of the text in messages.
Promise load_promise(std::string text, std::string file);

// Loads back to an equal promise.
nlohmann::ordered_json to_json(const Promise& promise);

}  // namespace splitbench
