#include "tests/results/written_result.h"

#include <cmath>
#include <cstdio>

#include "results/result_document.h"
#include "tests/results/synthetic_run.h"

namespace splitbench::test {
namespace {

constexpr double kT5 = 2.570581835636;  // 97.5 % of Student's t with 5 degrees of freedom, table

nlohmann::ordered_json interval(double value, double spread) {
  return {value * std::exp(-kT5 * spread), value * std::exp(kT5 * spread)};
}

// Only once: an analysis takes longer than what is done with it.
const nlohmann::ordered_json& base_document() {
  static const nlohmann::ordered_json document = [] {
    const Records records = make_records(base_case());
    return result_document(records.run, records.sessions, records.rounds, RunOutcome::complete);
  }();
  return document;
}

}  // namespace

nlohmann::ordered_json written_result(const WrittenResult& numbers) {
  nlohmann::ordered_json result = base_document();
  result["id"] = numbers.id;
  result["provenance"]["started_utc"] = numbers.started_utc;
  result["node"]["software"]["nccl"] = numbers.nccl;
  auto& measured = result["points"][0]["measured"];
  const double speedup = numbers.t1 / numbers.tn;
  measured["t1_s"] = numbers.t1;
  measured["t1_interval_s"] = interval(numbers.t1, numbers.spread);
  measured["tn_s"] = numbers.tn;
  measured["tn_interval_s"] = interval(numbers.tn, numbers.spread);
  measured["speedup"] = {{"value", speedup}, {"interval", interval(speedup, numbers.spread)}};
  return result;
}

ResultView view_of(const nlohmann::ordered_json& result) {
  return result_view(result.dump(), "a result");
}

WrittenResult nightly(int night) {
  char date[32];
  std::snprintf(date, sizeof date, "2020-%02d-%02dT02:00:00Z", 1 + night / 28, 1 + night % 28);
  WrittenResult result;
  result.id = "run-" + std::to_string(night);
  result.started_utc = date;
  return result;
}

std::vector<SeriesRun> series_of(const std::vector<WrittenResult>& results) {
  std::vector<SeriesRun> series;
  for (const WrittenResult& result : results)
    series.push_back({view_of(written_result(result)), {}});
  return series;
}

}  // namespace splitbench::test
