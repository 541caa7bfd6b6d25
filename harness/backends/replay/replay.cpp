#include "harness/backends/replay/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "model/invalid_input.h"
#include "model/wire.h"

namespace splitbench::replay {
namespace {

using Point = Answer<TabulatedPoint>;

TableCurve visible(const TableCurve& curve, const Operation& operation,
                   const std::optional<LeftOut>& left_out) {
  if (!left_out) return curve;
  const Bytes bytes = left_out->own ? message_bytes(operation) : left_out->bytes;
  return curve.without(bytes.value());
}

// The collective in the table without what is left out.
Answer<TableTime> read_collective(const CollectiveTable& table, const Operation& operation,
                                  int ranks, const std::optional<LeftOut>& left_out) {
  const Bytes message = message_bytes(operation);
  const auto curve = table.find(message, ranks);
  if (!curve) return Answer<TableTime>::none(curve.reason());
  Answer<TableTime> read = visible(**curve, operation, left_out).at(message.value());
  if (read) return read;
  return Answer<TableTime>::none(
      fmt::format("{} has no entry on one side of {:.0f} bytes but those left out",
                  table.source().name, message.value()));
}

// Of other sizes than the operation's own, whether or not that is left out.
Answer<CollectiveLine> line_around(const TableCurve& curve, Bytes message, int ranks) {
  std::vector<SizeTime> points;
  const TableCurve others = curve.without(message.value());
  for (const TableEntry& entry : others.entries()) {
    points.push_back({.wire = wire_bytes(Bytes(entry.size), ranks), .time = entry.time});
  }
  return fit_line(points_around(wire_bytes(message, ranks), points));
}

// T_N with the entry that the prediction could not see.
Answer<Seconds> put_together(const TabulatedLayer& layer, const TableCurve& whole,
                             const Operation& operation, const std::optional<LeftOut>& left_out) {
  using None = Answer<Seconds>;
  if (!left_out) return None::none("nothing was measured: the tables have the parts of a split");
  if (!layer.collective.interpolated) {
    return None::none("the prediction reads the entry of this message: another one is left out");
  }
  const double message = message_bytes(operation).value();
  if (!whole.has(message)) return None::none("the table has no entry of this very message");
  TabulatedLayer seen = layer;
  seen.collective = *whole.at(message);
  return tabulated_split(seen, operation.layers, 0.0).split.time;
}

TabulatedImplementation implementation(const CollectiveTable& table, TabulatedLayer layer,
                                       const Operation& operation, int ranks,
                                       const std::optional<LeftOut>& left_out,
                                       double least_effect) {
  TabulatedImplementation of{.name = table.source().name};
  of.collective = read_collective(table, operation, ranks, left_out);
  if (!of.collective) {
    of.split = Answer<TabulatedSplit>::none(of.collective.reason());
    return of;
  }
  layer.collective = *of.collective;
  of.split = tabulated_split(layer, operation.layers, least_effect);
  return of;
}

// The parts but for the collective.
Answer<TabulatedLayer> read_products(const MlpTable& table, const Operation& operation) {
  using None = Answer<TabulatedLayer>;
  const auto widths = table.find(operation);
  if (!widths) return None::none(widths.reason());
  const auto tokens = static_cast<double>(operation.tokens);
  TabulatedLayer layer;
  layer.full = *(*widths)->full.at(tokens);
  layer.shard = *(*widths)->shard.at(tokens);
  if ((*widths)->serial.entries().empty()) return layer;
  const Answer<TableTime> serial = (*widths)->serial.at(tokens);
  if (!serial) return None::none(table.source().name + " has no serial part for so many tokens");
  layer.serial = *serial;
  return layer;
}

}  // namespace

Tables read_tables(const GivenFile& mlp, const std::vector<GivenFile>& collectives,
                   const std::string& implementation) {
  Tables tables{.mlp = MlpTable(mlp), .collectives = {}};
  std::vector<std::string> names;
  for (const GivenFile& file : collectives) {
    tables.collectives.emplace_back(file);
    const std::string& name = tables.collectives.back().source().name;
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw InvalidInput("collective-table",
                         fmt::format("two are called {}, as their files are", name));
    }
    names.push_back(name);
  }
  if (implementation.empty()) return tables;
  const auto wanted = std::find(names.begin(), names.end(), implementation);
  if (wanted == names.end()) {
    throw InvalidInput("implementation", fmt::format("'{}' is unknown; expected {}", implementation,
                                                     fmt::join(names, ", ")));
  }
  const auto first = tables.collectives.begin();
  std::rotate(first, first + (wanted - names.begin()), first + (wanted - names.begin()) + 1);
  return tables;
}

std::vector<Operation> rows(const MlpTable& table, const Operation& like,
                            std::optional<std::int64_t> d_model, std::optional<std::int64_t> d_ff) {
  std::vector<Operation> operations;
  for (const auto& [widths, times] : table.widths()) {
    if (d_model.value_or(widths.first) != widths.first) continue;
    if (d_ff.value_or(widths.second) != widths.second) continue;
    for (const TableEntry& entry : times.full.entries()) {
      operations.push_back(like);
      operations.back().tokens = static_cast<std::int64_t>(entry.size);
      operations.back().d_model = widths.first;
      operations.back().d_ff = widths.second;
    }
  }
  return operations;
}

Point read_point(const Tables& tables, const Operation& operation, int ranks,
                 const std::optional<LeftOut>& left_out, double least_effect) {
  const Answer<TabulatedLayer> products = read_products(tables.mlp, operation);
  if (!products) return Point::none(products.reason());
  TabulatedPoint point{.layer = *products};
  for (const CollectiveTable& table : tables.collectives) {
    point.implementations.push_back(
        implementation(table, *products, operation, ranks, left_out, least_effect));
  }
  const TabulatedImplementation& chosen = point.implementations.front();
  if (!chosen.split) return Point::none(chosen.split.reason());
  point.layer.collective = *chosen.collective;
  const Bytes message = message_bytes(operation);
  const TableCurve& whole = **tables.collectives.front().find(message, ranks);
  point.line = line_around(whole, message, ranks);
  point.tn = put_together(point.layer, whole, operation, left_out);
  return point;
}

NodeDescription describe_node(const Tables& tables, int ranks) {
  NodeDescription node;
  node.backend = "replay";
  node.times_are = TimesAre::tabulated;
  node.devices.assign(static_cast<std::size_t>(ranks),
                      {.name = "device of table " + tables.mlp.source().name,
                       .uuid = std::nullopt,
                       .memory = Bytes(0)});
  node.notes.push_back(
      "tabulated: nothing was run or checked here. A table has one number for a time, so there are "
      "no sessions and no intervals over them; an interval is the error of reading between "
      "entries");
  const auto describe = [&node](const TableSource& source) {
    for (const std::string& comment : source.comments) {
      node.notes.push_back(fmt::format("{}: {}", source.name, comment));
    }
    if (!source.unused.empty()) {
      node.notes.push_back(
          fmt::format("{}: columns not used: {}", source.name, fmt::join(source.unused, ", ")));
    }
  };
  describe(tables.mlp.source());
  for (const CollectiveTable& table : tables.collectives) describe(table.source());
  return node;
}

}  // namespace splitbench::replay
