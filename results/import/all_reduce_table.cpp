#include "results/import/all_reduce_table.h"

#include <algorithm>
#include <map>

#include "results/import/tsv.h"

namespace splitbench {
namespace {

const TextLine* header_of(const TextSource& source) {
  const auto& lines = source.lines();
  const auto found = std::find_if(lines.begin(), lines.end(), [](const TextLine& line) {
    return !line.text.empty() && !line.text.starts_with('#');
  });
  return found == lines.end() ? nullptr : &*found;
}

}  // namespace

bool looks_like_all_reduce_table(const TextSource& source) {
  const TextLine* header = header_of(source);
  if (header == nullptr) return false;
  const auto cells = cells_of(header->text);
  return std::find(cells.begin(), cells.end(), "message_bytes") != cells.end();
}

std::vector<CollectiveRun> read_all_reduce_table(const TextSource& source) {
  const Tsv tsv =
      read_tsv(source.raw(), source.file(),
               {{"message_bytes", true}, {"latency_us"}, {"ranks", true, false, 65536}});
  std::map<int, CollectiveRun> runs;
  for (const Row& row : tsv.rows) {
    CollectiveRun& run = runs[static_cast<int>(row.values[2])];
    if (run.rows.empty()) {
      run.line = row.line;
      run.collective = kAllReduce;
      run.collective_named = true;
      if (row.values[2] > 0.0) run.ranks = static_cast<int>(row.values[2]);
    }
    CollectiveRow value{.line = row.line,
                        .size = Bytes(row.values[0]),
                        .dtype = {},
                        .redop = {},
                        .tag = {},
                        .out_of_place = CollectiveTime{},
                        .in_place = {}};
    value.out_of_place->time = Seconds(1e-6 * row.values[1]);
    if (const std::string why = implausible(value); !why.empty()) source.fail(row.line, why);
    run.rows.push_back(std::move(value));
  }
  std::vector<CollectiveRun> list;
  for (auto& [ranks, run] : runs) {
    if (run.ranks == 1) run.flaw = Remark{run.line, "one rank: nothing was communicated"};
    list.push_back(std::move(run));
  }
  return list;
}

}  // namespace splitbench
