#include "results/series.h"

#include <algorithm>
#include <utility>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

bool confirms_another(const std::vector<Mark>& marks) {
  return std::any_of(marks.begin(), marks.end(),
                     [](const Mark& mark) { return mark.kind == MarkKind::confirms; });
}

// One that cannot be read hides the whole series: it must be known what takes it out.
ResultView view_in_series(const StoredResult& result) {
  try {
    return result_view(result.document, "run " + result.id);
  } catch (const InvalidInput& error) {
    throw InvalidInput("", std::string(error.what()) + "; 'splitbench store remove " + result.id +
                               "' takes it out, the others stay");
  }
}

}  // namespace

std::vector<SeriesRun> read_series(const Store& store, const std::string& fingerprint,
                                   const std::string& protocol) {
  std::vector<SeriesRun> series;
  for (StoredResult& result : store.series(fingerprint, protocol)) {
    if (confirms_another(result.marks)) continue;
    ResultView view = view_in_series(result);
    if (view.outcome != RunOutcome::complete) continue;
    series.push_back({std::move(view), std::move(result.marks)});
  }
  return series;
}

}  // namespace splitbench
