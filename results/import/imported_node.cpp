#include "results/import/imported_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/import/text_source.h"

namespace splitbench {
namespace {

std::pair<int, int> ends(const Link& link) {
  return {link.a, link.b};
}

// Of two links between the same devices the first stays.
void merge_links(ImportedNode& node) {
  std::stable_sort(node.links.begin(), node.links.end(),
                   [](const Link& x, const Link& y) { return ends(x) < ends(y); });
  std::vector<Link> merged;
  for (Link& link : node.links) {
    if (merged.empty() || ends(merged.back()) != ends(link)) {
      merged.push_back(std::move(link));
    } else if (merged.back().kind != link.kind) {
      node.notes.push_back(fmt::format("devices {} and {}: {} by one tool, {} by another", link.a,
                                       link.b, merged.back().kind, link.kind));
    }
  }
  node.links = std::move(merged);
}

std::map<std::pair<int, int>, bool> granted_both_ways(const ImportedNode& node) {
  std::map<std::pair<int, int>, bool> granted;
  for (const PeerAccess& access : node.peers) {
    const std::pair<int, int> pair = std::minmax(access.from, access.to);
    const auto [entry, is_new] = granted.try_emplace(pair, access.granted);
    if (!is_new) entry->second = entry->second && access.granted;
  }
  return granted;
}

// "NV4" between devices of which one has 2 links up: cut, or a bridge half seated.
void note_missing_links(ImportedNode& node) {
  for (const Link& link : node.links) {
    const auto count = link.kind.starts_with("NV") ? whole_number_in(link.kind.substr(2)) : 0;
    for (const int number : {link.a, link.b}) {
      const auto device = node.devices.find(number);
      if (device == node.devices.end() || !device->second.nvlinks) continue;
      const auto up = static_cast<long long>(device->second.nvlinks->size());
      if (up >= count) continue;
      node.notes.push_back(fmt::format("devices {} and {} are {}, and {} links of device {} are up",
                                       link.a, link.b, link.kind, up, number));
    }
  }
}

}  // namespace

Path path_of_kind(const std::string& kind) {
  return kind.starts_with("NV") || kind.starts_with("XGMI") ? Path::gpu_link : Path::unknown;
}

void settle(ImportedNode& node) {
  auto granted = granted_both_ways(node);
  for (Link& link : node.links) {
    const auto access = granted.find(ends(link));
    if (access != granted.end() && !access->second) link.path = Path::host_memory;
    if (access != granted.end()) granted.erase(access);
  }
  for (const auto& [pair, both] : granted) {
    node.links.push_back({.a = pair.first,
                          .b = pair.second,
                          .kind = "unknown",
                          .path = both ? Path::unknown : Path::host_memory});
  }
  merge_links(node);
  note_missing_links(node);
}

}  // namespace splitbench
