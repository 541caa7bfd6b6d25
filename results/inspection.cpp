#include "results/inspection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "model/quantity_text.h"
#include "results/node_link.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMeasureCopies =
    "the output of p2pBandwidthLatencyTest or nvbandwidth, whole, run on this node";
constexpr const char* kPcieUnderLoad =
    "nvidia-smi -q of every GPU, taken while a copy or a job runs on it";

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "; "));
}

// The texts that name the devices, or `otherwise` where none does.
std::string naming(const ImportedNode& node, const std::string& otherwise) {
  std::set<std::string> formats;
  for (const auto& [number, device] : node.devices) {
    if (!device.named_by.empty()) formats.insert(device.named_by);
  }
  return formats.empty() ? otherwise : fmt::format("{}", fmt::join(formats, ", "));
}

class Inspector {
 public:
  Inspector(const Promise& promise, const KnownNode& known, const std::vector<GpuModel>& catalogue)
      : promise_(promise),
        known_(known),
        catalogue_(catalogue),
        gpu_(gpu_of(known, catalogue, "")) {
    how_ = known.node.formats.empty() ? naming(known.node, "nothing describes the node")
                                      : fmt::format("{}", fmt::join(known.node.formats, ", "));
  }

  std::vector<InspectedItem> inspect(std::span<const Json> results) {
    count();
    if (!promise_.model.empty()) model();
    if (promise_.memory) memory();
    if (promise_.pcie_generation) {
      pcie("PCIe generation", *promise_.pcie_generation, [](const PcieLink& link) {
        return std::pair(link.generation_now, link.generation_most);
      });
    }
    if (promise_.pcie_width) {
      pcie("PCIe width", *promise_.pcie_width,
           [](const PcieLink& link) { return std::pair(link.width_now, link.width_most); });
    }
    if (promise_.one_numa_node) numa();
    for (const PromisedLink& link : promise_.links) links(link);
    for (const PromisedSpeedup& speedup : promise_.speedups) speedups(speedup, results);
    return std::move(items_);
  }

 private:
  void add(std::string what, std::string required, Finding finding, std::string actual,
           std::string ask) {
    items_.push_back({.what = std::move(what),
                      .finding = finding,
                      .required = std::move(required),
                      .actual = std::move(actual),
                      .how = how_,
                      .ask = finding == Finding::pass ? "" : std::move(ask)});
  }

  void count() {
    const std::size_t found = known_.node.devices.size();
    const bool enough = found >= static_cast<std::size_t>(promise_.count);
    add("device count", fmt::format("{} or more", promise_.count),
        found == 0 ? Finding::unknown
        : enough   ? Finding::pass
                   : Finding::fail,
        found == 0 ? "no text lists the devices" : std::to_string(found),
        found == 0 ? "nvidia-smi topo -m of the node" : "where the other GPUs are");
  }

  // What each of the promised devices shows: failed and unknown ones by name. `judge` says what
  // stands against a device, and with which finding.
  using Judge = std::function<std::pair<Finding, std::string>(const ImportedDevice&)>;
  void each_device(const std::string& what, const std::string& required, const std::string& ask,
                   const Judge& judge) {
    std::vector<std::string> good;
    std::vector<std::string> bad;
    Finding worst = known_.node.devices.empty() ? Finding::unknown : Finding::pass;
    for (const auto& [number, device] : known_.node.devices) {
      const auto [finding, actual] = judge(device);
      const std::string text = fmt::format("{}: {}", number, actual);
      if (finding == Finding::pass) good.push_back(actual);
      if (finding != Finding::pass) bad.push_back(text);
      if (finding == Finding::fail || worst == Finding::pass) worst = finding;
    }
    std::sort(good.begin(), good.end());
    good.erase(std::unique(good.begin(), good.end()), good.end());
    const std::string actual = known_.node.devices.empty() ? "no text lists the devices"
                                                           : joined(bad.empty() ? good : bad);
    add(what, required, worst, actual, ask);
  }

  // The same model where the catalogue says so, else the same words.
  std::pair<Finding, std::string> model_of(const ImportedDevice& device) const {
    if (device.name.empty()) return {Finding::unknown, "no text names it"};
    const auto found = find_gpu(catalogue_, {device.name, device.name_is_cut, device.memory});
    const auto wanted = find_gpu(catalogue_, {.name = promise_.model});
    if (found && wanted) {
      const bool same = found->names.front() == wanted->names.front();
      return {same ? Finding::pass : Finding::fail, device.name};
    }
    if (device.name_is_cut) return {Finding::unknown, device.name + " (cut)"};
    if (device.name == promise_.model) return {Finding::pass, device.name};
    if (!wanted && is_part_of_name(promise_.model, device.name)) {
      return {Finding::unknown, device.name + ": the promise is of no one model"};
    }
    return {Finding::fail, device.name};
  }

  void model() {
    const std::string how = std::exchange(how_, naming(known_.node, how_));
    each_device("device model", promise_.model, "nvidia-smi -L of the node",
                [this](const ImportedDevice& device) { return model_of(device); });
    how_ = how;
  }

  void memory() {
    each_device("device memory", fmt::format("{} or more each", to_text(*promise_.memory)),
                "nvidia-smi of the node; whether its GPUs are divided (MIG)",
                [this](const ImportedDevice& device) -> std::pair<Finding, std::string> {
                  if (device.mig == true) {
                    return {Finding::fail, "MIG is on: an instance has a part of the memory"};
                  }
                  if (!device.memory) return {Finding::unknown, "not said"};
                  const bool enough = *device.memory >= *promise_.memory;
                  return {enough ? Finding::pass : Finding::fail, to_text(*device.memory)};
                });
  }

  using PcieReading =
      std::function<std::pair<std::optional<int>, std::optional<int>>(const PcieLink&)>;
  void pcie(const std::string& what, int required, const PcieReading& read) {
    each_device(what, fmt::format("{} or more", required), kPcieUnderLoad,
                [&](const ImportedDevice& device) -> std::pair<Finding, std::string> {
                  const auto [now, most] = read(device.pcie);
                  if (most && *most < required) {
                    return {Finding::fail, fmt::format("{} at most", *most)};
                  }
                  if (!now) return {Finding::unknown, "not said"};
                  if (*now >= required) return {Finding::pass, std::to_string(*now)};
                  return {Finding::unknown, fmt::format("{} now, perhaps idle: not judged", *now)};
                });
  }

  void numa() {
    std::vector<int> nodes;
    for (const auto& [number, device] : known_.node.devices) {
      if (device.numa_node) nodes.push_back(*device.numa_node);
    }
    const bool all = !nodes.empty() && nodes.size() == known_.node.devices.size();
    const bool same =
        std::adjacent_find(nodes.begin(), nodes.end(), std::not_equal_to<>()) == nodes.end();
    add("NUMA node", "one for all devices",
        !all   ? Finding::unknown
        : same ? Finding::pass
               : Finding::fail,
        all ? fmt::format("{}", fmt::join(nodes, ", ")) : "not said of every device",
        "nvidia-smi topo -m of the node, with its NUMA column");
  }

  void links(const PromisedLink& promised) {
    if (promised.between) return link(promised, promised.between->first, promised.between->second);
    const std::vector<int> numbers = promised_devices();
    for (const int a : numbers) {
      for (const int b : numbers) {
        if (a < b) link(promised, a, b);
      }
    }
  }

  // As many as were promised: those that the texts number, and where these are fewer, others.
  std::vector<int> promised_devices() const {
    const auto count = static_cast<std::size_t>(promise_.count);
    std::vector<int> numbers;
    for (const auto& [number, device] : known_.node.devices) {
      if (numbers.size() < count) numbers.push_back(number);
    }
    for (int number = 0; numbers.size() < count; ++number) {
      if (!known_.node.devices.contains(number)) numbers.push_back(number);
    }
    return numbers;
  }

  void link(const PromisedLink& promised, int a, int b) {
    const NodeLink found = link_between(known_.node, a, b, gpu_);
    const std::string pair = fmt::format("link {}-{}", std::min(a, b), std::max(a, b));
    if (promised.kind) kind(pair, *promised.kind, found);
    if (promised.gpu_links) gpu_links(pair, *promised.gpu_links, found);
    if (promised.rate) rate(pair, *promised.rate, found);
  }

  // What to say of a GPU link that is promised of a card which has none.
  std::string ask_of_links() const {
    const bool none = gpu_ && gpu_->link && gpu_->link->links == 0;
    return none ? fmt::format("which card was meant: {} has no such link", gpu_->names.front())
                : "nvidia-smi topo -m and nvidia-smi nvlink -s of the node";
  }

  static std::optional<Nearness> nearness_of(const NodeLink& link) {
    if (link.link == LinkClass::gpu_link) return Nearness::gpu_link;
    return find_in(nearnesses(), link.kind);
  }

  void kind(const std::string& pair, Nearness required, const NodeLink& found) {
    const auto nearness = nearness_of(found);
    const bool impossible = !found.impossible.empty();
    add(pair + ": kind", fmt::format("{} or nearer", name(required)),
        !nearness || impossible ? Finding::unknown
        : *nearness <= required ? Finding::pass
                                : Finding::fail,
        impossible ? found.impossible
        : nearness ? found.kind
                   : "no text says how they are joined",
        ask_of_links());
  }

  // The number that nvidia-smi nvlink -s shows up on a device, where it was asked.
  std::optional<int> links_up(const NodeLink& link) const {
    std::optional<int> least;
    for (const int number : {link.a, link.b}) {
      const auto device = known_.node.devices.find(number);
      if (device == known_.node.devices.end() || !device->second.nvlinks) continue;
      const auto up = static_cast<int>(device->second.nvlinks->size());
      least = std::min(least.value_or(up), up);
    }
    return least;
  }

  void gpu_links(const std::string& pair, int required, const NodeLink& found) {
    std::optional<int> least = found.gpu_links;
    if (const auto up = links_up(found)) least = std::min(least.value_or(*up), *up);
    const std::string what = pair + ": GPU links";
    const std::string enough = fmt::format("{} or more", required);
    if (!least) {
      return add(what, enough, Finding::unknown, "no text says how they are joined",
                 ask_of_links());
    }
    if (*least < required) {
      return add(what, enough, Finding::fail, std::to_string(*least), ask_of_links());
    }
    const std::string impossible = too_many_links(*least, gpu_);
    add(what, enough, impossible.empty() ? Finding::pass : Finding::unknown,
        impossible.empty() ? std::to_string(*least) : fmt::format("{}: {}", *least, impossible),
        ask_of_links());
  }

  // Why a rate is no measurement of this link; empty where it may be one.
  std::string doubt_of(BytesPerSecond rate, const NodeLink& found) const {
    const auto most = most_over(found, gpu_);
    if (!is_more_than_carried(rate, most)) return found.impossible;
    return fmt::format("{:.0f} % of {}, {}", 100.0 * (rate / *most), to_text(*most),
                       kMoreThanCarried);
  }

  void rate(const std::string& pair, BytesPerSecond required, const NodeLink& found) {
    const std::string what = pair + ": copies one way";
    const std::string least = to_text(required) + " or more";
    const auto measured = measured_between(known_.node, found.a, found.b);
    if (!measured) {
      const std::string unused = unused_between(known_.node, found.a, found.b);
      return add(what, least, Finding::unknown,
                 unused.empty()
                     ? "nobody measured it, and peer access that is granted is no evidence"
                     : unused,
                 kMeasureCopies);
    }
    const std::string actual = fmt::format("{} ({})", to_text(measured->rate), measured->tool);
    if (measured->rate < required) return add(what, least, Finding::fail, actual, kMeasureCopies);
    if (const std::string doubt = doubt_of(measured->rate, found); !doubt.empty()) {
      return add(what, least, Finding::unknown, actual + "; " + doubt, kMeasureCopies);
    }
    const bool low = found.link && found.ceiling &&
                     measured->rate / *found.ceiling < habits(*found.link).copy_share.low;
    add(what, least, low ? Finding::warn : Finding::pass,
        low ? fmt::format("{}; {:.0f} % of the link's {}, less than usual", actual,
                          100.0 * (measured->rate / *found.ceiling), to_text(*found.ceiling))
            : actual,
        "why it is less than such links usually reach");
  }

  void speedups(const PromisedSpeedup& promised, std::span<const Json> results) {
    const std::string what = "speedup of protocol " + promised.protocol;
    const std::string required = fmt::format("{:g}x or more", promised.at_least);
    const std::string ask =
        fmt::format("an hour on the node: splitbench run {} --out r.json, then --result r.json",
                    promised.protocol);
    how_ = "result documents of splitbench run";
    for (const Json& result : results) {
      if (result.at("protocol").at("name") != promised.protocol) continue;
      const auto [finding, actual] = speedup_in(result, promised.at_least);
      return add(what, required, finding, actual, ask);
    }
    add(what, required, Finding::unknown, "no result of this protocol is given", ask);
  }

  static std::pair<Finding, std::string> speedup_in(const Json& result, double at_least) {
    if (result.at("times_are") != "measured") {
      return {Finding::unknown, "its times are not measured on real devices"};
    }
    std::optional<double> low;
    std::optional<double> high;
    for (const Json& point : result.at("points")) {
      const Json::json_pointer at("/measured/speedup/interval");
      if (!point.contains(at) || point.at(at).is_null()) {
        return {Finding::unknown, "a point has no interval of its speedup"};
      }
      low = std::min(low.value_or(HUGE_VAL), point.at(at).at(0).get<double>());
      high = std::min(high.value_or(HUGE_VAL), point.at(at).at(1).get<double>());
    }
    if (!low) return {Finding::unknown, "it has no points"};
    const std::string text = fmt::format("{:.3g} to {:.3g} at its lowest point", *low, *high);
    if (*low >= at_least) return {Finding::pass, text};
    return {*high < at_least ? Finding::fail : Finding::unknown, text};
  }

  const Promise& promise_;
  const KnownNode& known_;
  const std::vector<GpuModel>& catalogue_;
  Answer<GpuModel> gpu_;
  std::string how_;
  std::vector<InspectedItem> items_;
};

}  // namespace

std::string_view name(Finding finding) {
  switch (finding) {
    case Finding::pass:
      return "pass";
    case Finding::warn:
      return "warn";
    case Finding::fail:
      return "fail";
    case Finding::unknown:
      return "unknown";
  }
  return "unknown";
}

std::vector<InspectedItem> inspect(const Promise& promise, const KnownNode& known,
                                   const std::vector<GpuModel>& catalogue,
                                   std::span<const Json> results) {
  return Inspector(promise, known, catalogue).inspect(results);
}

Finding overall(std::span<const InspectedItem> items) {
  for (const Finding worst : {Finding::fail, Finding::unknown, Finding::warn}) {
    if (std::any_of(items.begin(), items.end(),
                    [worst](const InspectedItem& item) { return item.finding == worst; })) {
      return worst;
    }
  }
  return Finding::pass;
}

Json to_json(std::span<const InspectedItem> items, const std::string& promise,
             const KnownNode& known) {
  Json document{{"schema", kInspectionSchema}, {"promise", promise}};
  document["source"] = {{"files", known.files}, {"formats", known.node.formats}};
  document["overall"] = name(overall(items));
  document["items"] = Json::array();
  for (const InspectedItem& item : items) {
    document["items"].push_back({{"what", item.what},
                                 {"finding", name(item.finding)},
                                 {"required", item.required},
                                 {"actual", item.actual},
                                 {"how", item.how},
                                 {"ask", item.ask.empty() ? Json(nullptr) : Json(item.ask)}});
  }
  return document;
}

}  // namespace splitbench
