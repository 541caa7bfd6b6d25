#include "results/series.h"

#include <algorithm>
#include <utility>

namespace splitbench {
namespace {

bool confirms_another(const std::vector<Mark>& marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [](const Mark& mark) { return mark.kind == MarkKind::confirms; });
}

}  // namespace

std::vector<SeriesRun> read_series(const Store& store, const std::string& fingerprint,
                                   const std::string& protocol) {
  std::vector<SeriesRun> series;
  for (StoredResult& result : store.series(fingerprint, protocol)) {
    if (confirms_another(result.marks)) continue;
    ResultView view = result_view(result.document, "run " + result.id);
    if (view.outcome != RunOutcome::complete) continue;
    series.push_back({std::move(view), std::move(result.marks)});
  }
  return series;
}

}  // namespace splitbench
