#include "harness/proof/table_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/collective_segments.h"
#include "model/wire.h"

namespace splitbench::proof {
namespace {

constexpr double kLeastEffect = 0.01;
constexpr double kConfidence = 0.95;
constexpr int kRanks = replay::MlpTable::kRanks;

// What a way to predict may look at.
struct Shape {
  TabulatedLayer layer;         // as the replay backend reads it
  Answer<CollectiveLine> line;  // around V, by wire bytes
  TableCurve others;            // the all-reduce without the entries within 2 %
  double message;               // bytes
};

TableTime without_interval(Seconds time) {
  return {.time = time, .interval = Answer<Interval>::none("a single number")};
}

// Straight in log size and log time between the two entries around; `size` lies between two.
Seconds log_log(std::span<const TableEntry> entries, double size) {
  const auto above = std::find_if(entries.begin(), entries.end(),
                                  [size](const TableEntry& entry) { return entry.size >= size; });
  if (above->size == size) return above->time;
  const auto below = above - 1;
  const double share = std::log(size / below->size) / std::log(above->size / below->size);
  return below->time * std::pow(above->time / below->time, share);
}

// With the regression's own interval.
Answer<TableTime> on_line(const Answer<CollectiveLine>& line, Bytes size, double further) {
  if (!line) return Answer<TableTime>::none(line.reason());
  const Answer<Seconds> time = line->at(size);
  if (!time) return Answer<TableTime>::none(time.reason());
  const Interval interval = *line->interval_at(size, kConfidence, further);
  return TableTime{.time = *time,
                   .interpolated = true,
                   .interval = Interval{std::max(interval.low, 0.0), interval.high}};
}

Answer<TableTime> on_one_line(const Shape& shape) {
  std::vector<SizeTime> points;
  for (const TableEntry& entry : shape.others.entries()) {
    points.push_back({.wire = Bytes(entry.size), .time = entry.time});
  }
  return on_line(fit_line(points), Bytes(shape.message), 0.0);
}

using Layer = Answer<TabulatedLayer>;

Layer with_collective(TabulatedLayer layer, const Answer<TableTime>& collective) {
  if (!collective) return Layer::none(collective.reason());
  layer.collective = *collective;
  return layer;
}

Layer perfectly_divided(const Layer& layer) {
  if (!layer) return layer;
  TabulatedLayer divided = *layer;
  divided.shard = without_interval(divided.full.time / kRanks);
  return divided;
}

struct Method {
  std::string_view name;
  Layer (*read)(const Shape& shape);
};

constexpr std::array kMethods{
    Method{"ours, read around V", [](const Shape& shape) -> Layer { return shape.layer; }},
    Method{"l and B around V",
           [](const Shape& shape) {
             return with_collective(
                 shape.layer,
                 on_line(shape.line, wire_bytes(Bytes(shape.message), kRanks), kSizeNoise));
           }},
    Method{"log-log between neighbours",
           [](const Shape& shape) {
             return with_collective(
                 shape.layer, without_interval(log_log(shape.others.entries(), shape.message)));
           }},
    Method{"one global line, relative",
           [](const Shape& shape) { return with_collective(shape.layer, on_one_line(shape)); }},
    Method{"eta = 1", [](const Shape& shape) { return perfectly_divided(shape.layer); }},
    Method{"one global line, eta = 1", [](const Shape& shape) {
             return perfectly_divided(with_collective(shape.layer, on_one_line(shape)));
           }}};

enum class Call { right, wrong, inconclusive };

// `gain`: the true ln(T1 / T_N).
Call judged(SplitOutcome outcome, double gain) {
  const auto right_if = [](bool right) { return right ? Call::right : Call::wrong; };
  switch (outcome) {
    case SplitOutcome::faster:
      return right_if(gain > 0.0);
    case SplitOutcome::slower:
      return right_if(gain < 0.0);
    case SplitOutcome::tie:
      return right_if(std::abs(gain) <= kLeastEffect);
    default:
      return Call::inconclusive;
  }
}

void add(TableFigures& figures, const Layer& layer, double truth) {
  figures.none.add(!layer);
  if (!layer) return;
  const TabulatedSplit split = tabulated_split(*layer, 1, kLeastEffect);
  const double predicted = split.split.time.value();
  const double gain = std::log(split.one_device.time.value() / truth);
  figures.errors.push_back(std::abs(predicted / truth - 1.0));
  figures.wrong_winner.add((split.speedup > 1.0) != (gain > 0.0));
  const Call call = judged(split.verdict.outcome, gain);
  figures.right.add(call == Call::right);
  figures.wrong.add(call == Call::wrong);
  figures.inconclusive.add(call == Call::inconclusive);
  if (!split.split.interval) return;
  const Interval& interval = *split.split.interval;
  figures.covered.add(interval.contains(truth));
  figures.half_widths.push_back((interval.high - interval.low) / 2.0 / predicted);
}

}  // namespace

std::vector<TableFigures> table_figures(const PublishedTables& published) {
  std::vector<TableFigures> figures;
  for (const Method& method : kMethods) figures.push_back({.method = method.name});
  const replay::Tables& tables = published.tables;
  for (const Operation& operation :
       replay::rows(tables.mlp, {.layers = 1, .dtype = DataType::bf16}, {}, {})) {
    const Bytes message = message_bytes(operation);
    const auto whole = tables.collectives.front().find(message, kRanks);
    if (!whole || (!published.dense && !(*whole)->has(message.value()))) continue;
    const auto point =
        replay::read_point(tables, operation, kRanks, replay::LeftOut{.own = true}, kLeastEffect);
    if (!point) continue;
    const Seconds truth = point->layer.shard.time + log_log((*whole)->entries(), message.value());
    const Shape shape{.layer = point->layer,
                      .line = point->line,
                      .others = (*whole)->without(message.value()),
                      .message = message.value()};
    for (std::size_t m = 0; m < kMethods.size(); ++m) {
      add(figures[m], kMethods[m].read(shape), truth.value());
    }
  }
  for (TableFigures& of : figures) std::sort(of.errors.begin(), of.errors.end());
  return figures;
}

}  // namespace splitbench::proof
