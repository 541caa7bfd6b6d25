#include "results/node_estimate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "model/roofline.h"
#include "model/table_curve.h"
#include "model/wire.h"
#include "results/normality.h"
#include "results/run_choice.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLeastEffect = 0.01;
// Two collections of one table on one model differ by up to 8.5 % in an entry; docs/estimates.md.
constexpr double kBetweenNodes = 1.1;
// Of the memory, what weights may take.
constexpr double kForWeights = 0.95;

constexpr const char* kShares =
    "share of the roofline that bf16 products reach, least and most of 475 shapes on A100 and H100";
constexpr const char* kEfficiencies =
    "efficiency of a half, least and most of 475 shapes on A100 and H100";

// What would measure a parameter.
struct Measure {
  std::string_view parameter;
  const char* how;
};
constexpr std::array kMeasures{
    Measure{"serial", "the norm and residual alone: splitbench run there, or --serial"},
    Measure{"compute", "the MLP on one device: splitbench run there, or --compute"},
    Measure{"efficiency",
            "half of the MLP beside the whole: splitbench run there, or --efficiency"},
    Measure{"collective",
            "the all-reduce at this size: all_reduce_perf of nccl-tests there, whole"},
};

std::vector<TableEntry> entries_of(const CollectiveRun& run) {
  std::vector<TableEntry> entries;
  for (const CollectiveRow& row : run.rows) {
    if (row.size.value() > 0.0 && row.time().time.value() > 0.0) {
      entries.push_back({row.size.value(), row.time().time});
    }
  }
  return entries;
}

// Where nobody knows how the devices are joined: from the best that they may have to the worst.
Interval unknown_link_bounds(Bytes message, int ranks, const GpuModel& gpu) {
  const BytesPerSecond pcie = *pcie_rate(gpu.pcie_generation, gpu.pcie_width);
  Interval bounds = all_reduce_bounds(message, ranks, LinkClass::any_pcie, pcie);
  if (!gpu.link || gpu.link->links > 0) {
    const BytesPerSecond links = gpu.link ? gpu.link->links * gpu.link->each_way : pcie;
    bounds.low =
        std::min(bounds.low, all_reduce_bounds(message, ranks, LinkClass::gpu_link, links).low);
  }
  return bounds;
}

// `why` there is nothing better.
SourcedRange bounds_of(const EstimateSetting& setting, Bytes message, int ranks,
                       const std::string& why) {
  const NodeLink& link = setting.link;
  if (!link.link || !link.ceiling) {
    return {unknown_link_bounds(message, ranks, setting.gpu),
            fmt::format("bounds only, as {}, and {}", why, link.ceiling.reason())};
  }
  return {all_reduce_bounds(message, ranks, *link.link, *link.ceiling),
          fmt::format("bounds only, as {}: what is usual of {} ({}), {} one way by {}", why,
                      name(*link.link), link.kind, to_text(*link.ceiling), link.source)};
}

Json json(Interval range) {
  return {{"low", range.low}, {"high", range.high}};
}

Json json(const SourcedRange& sourced) {
  Json document = json(sourced.range);
  document["from"] = sourced.from;
  return document;
}

SourcedRange or_given(std::optional<double> given, SourcedRange otherwise) {
  return given ? SourcedRange{{*given, *given}, "given"} : std::move(otherwise);
}

std::string_view verdict_of(Interval speedup) {
  if (speedup.low >= 1.0 + kLeastEffect) return "faster";
  if (speedup.high <= 1.0 - kLeastEffect) return "slower";
  const bool tie = speedup.low > 1.0 - kLeastEffect && speedup.high < 1.0 + kLeastEffect;
  return tie ? "tie" : "inconclusive";
}

Json narrowings_json(const SplitRanges& ranges) {
  Json list = Json::array();
  for (const Narrowing& narrowing : narrowings(ranges)) {
    const auto measure = std::find_if(
        kMeasures.begin(), kMeasures.end(),
        [&narrowing](const Measure& each) { return each.parameter == narrowing.parameter; });
    list.push_back({{"parameter", narrowing.parameter},
                    {"narrower", narrowing.narrower},
                    {"speedup", json(narrowing.speedup)},
                    {"measure", measure->how}});
  }
  return list;
}

// What does not fit has no time, and says so.
void write_times(Json& point, const SplitRanges& ranges, const Operation& operation,
                 const GpuModel& gpu) {
  const Bytes room = kForWeights * gpu.memory;
  const Bytes weights = weight_bytes(operation);
  const bool whole_fits = weights <= room;
  const bool share_fits = weights / ranges.ranks <= room;
  const SplitTimeRanges times = split_time_ranges(ranges);
  const std::string too_large =
      fmt::format("weights of {} do not fit into {}", to_text(weights), to_text(gpu.memory));
  point["t1_s"] = whole_fits ? json(times.one_device) : Json(nullptr);
  point["tn_s"] = share_fits ? json(times.split) : Json(nullptr);
  point["speedup"] = whole_fits ? json(times.speedup) : Json(nullptr);
  point["split_verdict"] = whole_fits   ? Json(verdict_of(times.speedup))
                           : share_fits ? Json("fits-only-split")
                                        : Json(nullptr);
  point["reasons"] = Json::object();
  if (!whole_fits) point["reasons"]["t1_s"] = point["reasons"]["speedup"] = too_large;
  if (!share_fits) {
    point["reasons"]["tn_s"] = point["reasons"]["split_verdict"] =
        "nor does the share of one of the ranks";
  }
  point["narrowings"] = whole_fits ? narrowings_json(ranges) : Json::array();
}

DeviceRates rates_of(const GpuModel& gpu, DataType type) {
  const auto peak = gpu.peak.find(type);
  if (peak == gpu.peak.end() || !gpu.memory_rate) {
    std::vector<std::string_view> types;
    for (const auto& [known, rate] : gpu.peak) types.push_back(name(known));
    throw InvalidInput("operation",
                       fmt::format("the catalogue has no {} rate of {}; it has {}", name(type),
                                   gpu.names.front(), fmt::join(types, ", ")));
  }
  return {.peak = peak->second, .memory = *gpu.memory_rate};
}

Json point_json(const EstimateRequest& request, const EstimateSetting& setting,
                const Operation& operation) {
  check(operation, request.ranks);
  const DeviceRates rates = rates_of(setting.gpu, operation.dtype);
  const auto seconds = [](const std::optional<Seconds>& given) {
    return given ? std::optional(given->value()) : std::nullopt;
  };
  const SourcedRange serial =
      or_given(seconds(request.serial),
               {serial_range(operation, rates),
                "norm and residual at the memory's rate: " + setting.gpu.memory_source});
  const SourcedRange compute = or_given(
      seconds(request.compute), {compute_range(operation, rates),
                                 fmt::format("roofline of {} ({}); {}", setting.gpu.names.front(),
                                             setting.gpu.peak_source, kShares)});
  const SourcedRange efficiency = or_given(
      request.efficiency, {efficiency_range(operation, rates, request.ranks), kEfficiencies});
  const SourcedRange collective =
      collective_range(setting, message_bytes(operation), request.ranks);
  const SplitRanges ranges{.serial = serial.range,
                           .compute = compute.range,
                           .efficiency = efficiency.range,
                           .collective = collective.range,
                           .collectives = collectives(operation, request.ranks),
                           .ranks = request.ranks};
  Json point;
  point["operation"] = {{"tokens", operation.tokens},
                        {"d_model", operation.d_model},
                        {"d_ff", operation.d_ff},
                        {"layers", operation.layers},
                        {"dtype", name(operation.dtype)}};
  point["ranks"] = request.ranks;
  point["collectives"] = ranges.collectives;
  point["message_bytes"] = message_bytes(operation).value();
  point["parameters"] = {{"serial_s", json(serial)},
                         {"compute_s", json(compute)},
                         {"efficiency", json(efficiency)},
                         {"collective_s", json(collective)}};
  write_times(point, ranges, operation, setting.gpu);
  return point;
}

Json link_json(const EstimateSetting& setting) {
  const NodeLink& link = setting.link;
  return {{"kind", link.kind},
          {"class", link.link ? Json(name(*link.link)) : Json(nullptr)},
          {"ceiling_bytes_per_s", link.ceiling ? Json(link.ceiling->value()) : Json(nullptr)},
          {"from", link.ceiling ? link.source : link.ceiling.reason()}};
}

// The files or formats of several runs, each once.
std::string texts_of(const std::vector<const KnownRun*>& runs, std::string KnownRun::*text) {
  std::vector<std::string> texts;
  for (const KnownRun* run : runs) {
    if (std::find(texts.begin(), texts.end(), run->*text) == texts.end()) {
      texts.push_back(run->*text);
    }
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

Json all_reduce_json(const std::vector<const KnownRun*>& runs) {
  if (runs.empty()) return nullptr;
  std::size_t rows = 0;
  std::optional<int> ranks;
  for (const KnownRun* run : runs) {
    rows += run->run.rows.size();
    if (run->run.ranks) ranks = run->run.ranks;
  }
  return {{"file", texts_of(runs, &KnownRun::file)},
          {"format", texts_of(runs, &KnownRun::format)},
          {"ranks", ranks ? Json(*ranks) : Json(nullptr)},
          {"rows", rows}};
}

Json notes_of(const EstimateRequest& request, const EstimateSetting& setting) {
  Json notes = request.known.node.notes;
  for (const std::string& note : setting.notes) notes.push_back(note);
  const bool has_log = std::any_of(setting.runs.begin(), setting.runs.end(),
                                   [](const KnownRun* run) { return run->format != "table"; });
  if (has_log) {
    notes.emplace_back(
        "nccl-tests times all-reduces back to back: one between products may cost "
        "more, and another library's less");
  }
  if (setting.devices.empty()) notes.emplace_back("no text names so many devices");
  return notes;
}

// Of one device the question is what others beside it would bring.
void check_ranks(const EstimateRequest& request) {
  const std::size_t described = request.known.described;
  if (described < 2 || described >= static_cast<std::size_t>(request.ranks)) return;
  throw InvalidInput("ranks", fmt::format("{} ranks, and the node has {} devices; expected a "
                                          "device for each",
                                          request.ranks, described));
}

// Of one run, or why it has no time of this message.
Answer<SourcedRange> range_of(const KnownRun& run, Bytes message) {
  using None = Answer<SourcedRange>;
  const Answer<TableTime> read = TableCurve(entries_of(run.run)).at(message.value());
  if (!read || (read->interpolated && !read->interval)) {
    return None::none(fmt::format("{} {} the times in {}", to_text(message),
                                  read ? "has too few around it in" : "is outside of", run.file));
  }
  const double time = read->time.value();
  const Interval own{time / kBetweenNodes, time * kBetweenNodes};
  const Interval between = read->interpolated ? *read->interval : own;
  return SourcedRange{{std::min(own.low, between.low), std::max(own.high, between.high)},
                      fmt::format("{} of {}, {}", run.format, run.file,
                                  read->interpolated ? "between its sizes" : "at this size")};
}

}  // namespace

EstimateSetting estimate_setting(const EstimateRequest& request) {
  const Answer<GpuModel> gpu = gpu_of(request.known, request.catalogue, request.gpu);
  if (!gpu) {
    throw InvalidInput("gpu", gpu.reason() + "; expected --gpu NAME with a name of the catalogue");
  }
  check_ranks(request);
  RunChoice choice = choose_runs(request.known, request.ranks, gpu);
  NodeLink link = slowest_link(request.known.node, choice.devices, gpu);
  return {.gpu = *gpu,
          .link = std::move(link),
          .devices = std::move(choice.devices),
          .runs = std::move(choice.used),
          .notes = std::move(choice.notes)};
}

SourcedRange collective_range(const EstimateSetting& setting, Bytes message, int ranks) {
  std::optional<SourcedRange> all;
  std::string why = "there are no times of the all-reduce";
  for (const KnownRun* run : setting.runs) {
    const Answer<SourcedRange> one = range_of(*run, message);
    if (!one) {
      why = one.reason();
    } else if (!all) {
      all = *one;
    } else {
      all->range = {std::min(all->range.low, one->range.low),
                    std::max(all->range.high, one->range.high)};
      if (all->from.find(one->from) == std::string::npos) all->from += "; " + one->from;
    }
  }
  return all ? *all : bounds_of(setting, message, ranks, why);
}

nlohmann::ordered_json estimate_document(const EstimateRequest& request) {
  const EstimateSetting setting = estimate_setting(request);
  Json document{{"schema", kEstimateSchema}, {"times_are", "estimated"}};
  document["source"] = {{"files", request.known.files}, {"formats", request.known.node.formats}};
  document["gpu"] = {{"name", setting.gpu.names.front()},
                     {"memory_bytes", setting.gpu.memory.value()},
                     {"peak_from", setting.gpu.peak_source},
                     {"memory_from", setting.gpu.memory_source}};
  document["devices"] = setting.devices;
  document["link"] = link_json(setting);
  document["all_reduce"] = all_reduce_json(setting.runs);
  document["normal"] = to_json(normality_of(request.known, Answer<GpuModel>(setting.gpu)));
  document["points"] = Json::array();
  for (const Operation& operation : request.operations) {
    document["points"].push_back(point_json(request, setting, operation));
  }
  document["notes"] = notes_of(request, setting);
  return document;
}

}  // namespace splitbench
