#include "harness/backends/replay/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "results/import/tsv.h"

namespace splitbench::replay {
namespace {

constexpr double kMicrosecond = 1e-6;

TableSource source_of(const GivenFile& file, const Tsv& tsv) {
  return {.name = std::filesystem::path(file.name).stem().string(),
          .comments = tsv.comments,
          .unused = tsv.unused,
          .rows = tsv.rows.size()};
}

bool between(const TableCurve& curve, double size) {
  return curve.entries().front().size <= size && size <= curve.entries().back().size;
}

struct WidthEntries {
  std::vector<TableEntry> full, shard, serial;
};

}  // namespace

MlpTable::MlpTable(const GivenFile& file) {
  const Tsv tsv = read_tsv(file.text, file.name,
                           {{"tokens", true},
                            {"d_model", true},
                            {"d_ff", true},
                            {"gemm1_full_us"},
                            {"gemm2_full_us"},
                            {"gemm1_half_us"},
                            {"gemm2_half_us"},
                            {"serial_us", false, false}});
  source_ = source_of(file, tsv);
  std::map<Widths, WidthEntries> entries;
  for (const Row& row : tsv.rows) {
    const std::vector<double>& v = row.values;
    const auto entry = [&](double microseconds) {
      return TableEntry{.size = v[0], .time = Seconds(kMicrosecond * microseconds)};
    };
    WidthEntries& of = entries[{static_cast<std::int64_t>(v[1]), static_cast<std::int64_t>(v[2])}];
    of.full.push_back(entry(v[3] + v[4]));
    of.shard.push_back(entry(v[5] + v[6]));
    if (v[7] > 0.0) of.serial.push_back(entry(v[7]));
  }
  for (auto& [widths, of] : entries) {
    widths_[widths] = {.full = TableCurve(std::move(of.full)),
                       .shard = TableCurve(std::move(of.shard)),
                       .serial = TableCurve(std::move(of.serial))};
  }
}

std::string MlpTable::covers() const {
  std::vector<std::string> parts;
  for (const auto& [widths, times] : widths_) {
    parts.push_back(fmt::format("d_model {}, d_ff {} with {:.0f} to {:.0f} tokens", widths.first,
                                widths.second, times.full.entries().front().size,
                                times.full.entries().back().size));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

Answer<const WidthTimes*> MlpTable::find(const Operation& operation) const {
  const auto found = widths_.find({operation.d_model, operation.d_ff});
  if (found != widths_.end() &&
      between(found->second.full, static_cast<double>(operation.tokens))) {
    return &found->second;
  }
  return Answer<const WidthTimes*>::none(
      fmt::format("{} does not cover {} tokens of d_model {}, d_ff {}; it covers {}", source_.name,
                  operation.tokens, operation.d_model, operation.d_ff, covers()));
}

CollectiveTable::CollectiveTable(const GivenFile& file) {
  const Tsv tsv = read_tsv(file.text, file.name,
                           {{"ranks", true, true, 65536}, {"message_bytes", true}, {"latency_us"}});
  source_ = source_of(file, tsv);
  std::map<int, std::vector<TableEntry>> entries;
  for (const Row& row : tsv.rows) {
    entries[static_cast<int>(row.values[0])].push_back(
        {.size = row.values[1], .time = Seconds(kMicrosecond * row.values[2])});
  }
  for (auto& [ranks, of] : entries) ranks_[ranks] = TableCurve(std::move(of));
}

std::string CollectiveTable::covers() const {
  std::vector<std::string> parts;
  for (const auto& [ranks, curve] : ranks_) {
    parts.push_back(fmt::format("{} ranks with {:.0f} to {:.0f} bytes", ranks,
                                curve.entries().front().size, curve.entries().back().size));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

Answer<const TableCurve*> CollectiveTable::find(Bytes message, int ranks) const {
  const auto found = ranks_.find(ranks);
  if (found != ranks_.end() && between(found->second, message.value())) return &found->second;
  return Answer<const TableCurve*>::none(
      fmt::format("{} does not cover {:.0f} bytes over {} ranks; it covers {}", source_.name,
                  message.value(), ranks, covers()));
}

}  // namespace splitbench::replay
