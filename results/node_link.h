// The link between two devices of an imported node: of which class it is, what it can carry by
// specification, and what was measured over it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/answer.h"
#include "model/link_class.h"
#include "protocols/gpu_catalogue.h"
#include "results/import/imported_node.h"

namespace splitbench {

struct NodeLink {
  int a = 0;
  int b = 0;
  std::string kind;               // "NV12", "PHB", "unknown"
  std::optional<LinkClass> link;  // none where no text says how they are joined
  std::optional<int> gpu_links;   // 12 of "NV12"; 0 of a PCIe kind
  Answer<BytesPerSecond> ceiling = unknown_ceiling();  // one way
  std::string source;                                  // of the ceiling
  std::string impossible;  // why this card cannot be joined so; empty where it can

  static Answer<BytesPerSecond> unknown_ceiling() {
    return Answer<BytesPerSecond>::none("no text says how the devices are joined");
  }
};

NodeLink link_between(const ImportedNode& node, int a, int b, const Answer<GpuModel>& gpu);

// The most that may be measured over it: its ceiling or, where no text says how the devices are
// joined, the higher one of the card's own links and of PCIe. None of a card that nobody knows.
Answer<BytesPerSecond> most_over(const NodeLink& link, const Answer<GpuModel>& gpu);

// By more than kMostOfCeiling of model/link_class.h; no where the most is not known.
bool is_more_than_carried(BytesPerSecond measured, const Answer<BytesPerSecond>& most);

// Why the card has not so many links of its own; empty where it may have, or nobody knows the card.
std::string too_many_links(int links, const Answer<GpuModel>& gpu);

// The link that holds a ring over `devices` up: one without a known ceiling, else the slowest, of
// equal ones that between the devices furthest apart. Unknown of fewer than two.
NodeLink slowest_link(const ImportedNode& node, const std::vector<int>& devices,
                      const Answer<GpuModel>& gpu);

// Of copies of many bytes in one direction, the slower direction; of several tools' the fastest.
struct MeasuredCopy {
  BytesPerSecond rate{};
  std::string tool;  // what it calls the table
};
std::optional<MeasuredCopy> measured_between(const ImportedNode& node, int a, int b);

// Why a table of such copies between them is no evidence; empty where there is none.
std::string unused_between(const ImportedNode& node, int a, int b);

// The numbers of the devices to split over: of two, the pair whose copies were fastest, else the
// pair with the highest ceiling, of equal ones the nearest; of more, the first ones. Empty where
// the texts name fewer devices.
std::vector<int> devices_to_use(const ImportedNode& node, int ranks, const Answer<GpuModel>& gpu);

}  // namespace splitbench
