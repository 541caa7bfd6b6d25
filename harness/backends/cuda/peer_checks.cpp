#include <fmt/format.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "harness/backends/cuda/checks.h"
#include "harness/backends/cuda/peer_pair.h"
#include "harness/backends/cuda/seats.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::ordered_json;

// One word, less and more than a page of 4 KiB, and 4 MiB with a last word behind them: faults were
// seen that spare small writes, single pages, or all but the last bytes.
constexpr std::array<std::size_t, 4> kWords{1, 1023, 1027, (std::size_t{1} << 20) + 1};

struct Pair {
  const PeerEnd* writer;
  const PeerEnd* owner;
  bool granted;

  std::string text() const {
    return fmt::format("device {} to device {}", writer->device(), owner->device());
  }
};

std::vector<PeerEnd> ends_of(const std::vector<int>& devices) {
  std::vector<PeerEnd> ends;
  for (const int device : devices) ends.emplace_back(device, kWords.back());
  return ends;
}

std::vector<Pair> pairs_of(const std::vector<PeerEnd>& ends) {
  std::vector<Pair> pairs;
  for (const PeerEnd& writer : ends) {
    for (const PeerEnd& owner : ends) {
      if (&writer == &owner) continue;
      pairs.push_back({.writer = &writer,
                       .owner = &owner,
                       .granted = can_access_peer(writer.device(), owner.device())});
    }
  }
  return pairs;
}

void look_at_access(const std::vector<Pair>& pairs, Examiner& examiner) {
  constexpr const char* kCheck = "peer-access";
  std::string refused;
  Json granted = Json::array();
  for (const Pair& pair : pairs) {
    granted.push_back(
        {{"from", pair.writer->device()}, {"to", pair.owner->device()}, {"granted", pair.granted}});
    if (pair.granted) {
      enable_peer_access(pair.writer->device(), pair.owner->device());
    } else {
      refused += (refused.empty() ? "" : ", ") + pair.text();
    }
  }
  examiner.learned("pairs", std::move(granted));
  if (refused.empty()) {
    examiner.found(passed(kCheck, fmt::format("granted for {} ordered pairs", pairs.size())));
  } else {
    examiner.found(warned(kCheck, "refused: " + refused + "; bytes go through the host's memory",
                          "devices of one NVLink or PCIe switch, and a driver that grants it"));
  }
}

// What is wrong with the way; empty where nothing is.
std::string probe_pair(const Pair& pair, std::mt19937& nonces, Examiner& examiner) {
  for (const Way way : {Way::stores, Way::copy_engine}) {
    if (way == Way::stores && !pair.granted) continue;
    for (const std::size_t words : kWords) {
      examiner.looks("peer-data", fmt::format("CUDA runtime: {} words from {} by {}", words,
                                              pair.text(), name(way)));
      const auto nonce = static_cast<std::uint32_t>(nonces());
      const std::string wrong = probe(*pair.writer, *pair.owner, way, words, nonce);
      if (!wrong.empty()) return fmt::format("{}: {}", pair.text(), wrong);
    }
  }
  return {};
}

void look_at_data(const std::vector<Pair>& pairs, Examiner& examiner) {
  constexpr const char* kCheck = "peer-data";
  std::mt19937 nonces(std::random_device{}());
  std::string wrong;
  std::size_t bad = 0;
  for (const Pair& pair : pairs) {
    const std::string words = probe_pair(pair, nonces, examiner);
    if (words.empty()) continue;
    wrong += (wrong.empty() ? "" : "; ") + words;
    ++bad;
  }
  if (bad == 0) {
    examiner.found(passed(
        kCheck, fmt::format("{} ordered pairs, by stores and by copy engine, 4 bytes to 4 MiB",
                            pairs.size())));
  } else {
    examiner.found(faulty(kCheck,
                          fmt::format("{} of {} ordered pairs: {}", bad, pairs.size(), wrong),
                          "switch off ACS or the IOMMU in the BIOS, or use other devices"));
  }
}

}  // namespace

void examine_peers(const DeviceRequest& request, Examiner& examiner) {
  const std::vector<int> devices = each_once(request.devices);
  if (devices.size() < 2) {
    examiner.found(not_known("peer-access", "it takes two different devices that can be used"));
    examiner.found(not_known("peer-data", "it takes two different devices that can be used"));
    return;
  }
  examiner.looks("peer-access", "CUDA runtime: memory on each device");
  const std::vector<PeerEnd> ends = ends_of(devices);
  const std::vector<Pair> pairs = pairs_of(ends);
  look_at_access(pairs, examiner);
  look_at_data(pairs, examiner);
}

}  // namespace splitbench::cuda
