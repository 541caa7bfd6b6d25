#include "results/history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "model/change.h"
#include "results/answer_writer.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kNear = 2;  // runs

struct Followed {
  const char* name;
  Answer<Estimate> PointView::*value;
  Better better;
};
constexpr std::array kFollowed{
    Followed{"speedup", &PointView::speedup, Better::higher},
    Followed{"t1_s", &PointView::t1, Better::lower},
    Followed{"tn_s", &PointView::tn, Better::lower},
};

// The runs that have one value of one point.
struct Values {
  std::vector<std::size_t> runs;  // indices into the list of runs
  std::vector<double> numbers;    // above 0
  std::vector<Answer<Interval>> intervals;
};

Values values_of(const std::vector<SeriesRun>& runs, const Json& key, const Followed& followed) {
  Values values;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const PointView* point = find_point(runs[i].view, key);
    if (point == nullptr) continue;
    const Answer<Estimate>& value = point->*followed.value;
    if (!value || !(value->value > 0.0)) continue;
    values.runs.push_back(i);
    values.numbers.push_back(value->value);
    values.intervals.push_back(value->interval);
  }
  return values;
}

// What changed from run to run, beside the run that has it first.
struct EnvironmentStep {
  std::size_t run = 0;
  std::vector<EnvironmentChange> changes;
};

std::vector<EnvironmentStep> environment_steps(const std::vector<SeriesRun>& runs) {
  std::vector<EnvironmentStep> steps;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    auto changed = changes(runs[i - 1].view.environment, runs[i].view.environment);
    if (!changed.empty()) steps.push_back({i, std::move(changed)});
  }
  return steps;
}

Json steps_json(const std::vector<EnvironmentStep>& steps, const std::vector<SeriesRun>& runs) {
  Json list = Json::array();
  for (const EnvironmentStep& step : steps) {
    list.push_back({{"run", runs[step.run].view.id}, {"changes", to_json(step.changes)}});
  }
  return list;
}

std::vector<EnvironmentStep> steps_near(const std::vector<EnvironmentStep>& steps,
                                        std::size_t run) {
  std::vector<EnvironmentStep> near;
  for (const EnvironmentStep& step : steps) {
    const std::size_t apart = step.run > run ? step.run - run : run - step.run;
    if (apart <= kNear) near.push_back(step);
  }
  return near;
}

Json change_json(const Values& values, std::span<const ChangePoint> points, std::size_t index,
                 Better better) {
  const std::size_t begin = index == 0 ? 0 : points[index - 1].first;
  const std::size_t first = points[index].first;
  const std::size_t end =
      index + 1 < points.size() ? points[index + 1].first : values.numbers.size();
  const std::span<const double> all(values.numbers);
  const auto level = [&](std::size_t from, std::size_t to) {
    return log_mean(all.subspan(from, to - from), kResultConfidence, "level");
  };
  const Answer<Estimate> before = level(begin, first);
  const Answer<Estimate> after = level(first, end);
  const Answer<Estimate> log_ratio = difference(before, after, kResultConfidence);
  const bool rose = log_ratio->value > 0.0;
  return {
      {"before", before->value},
      {"after", after->value},
      {"change", std::expm1(log_ratio->value)},
      {"interval", {std::expm1(log_ratio->interval->low), std::expm1(log_ratio->interval->high)}},
      {"direction", rose == (better == Better::higher) ? "better" : "worse"},
      {"significance", points[index].significance}};
}

Json series_json(const std::vector<SeriesRun>& runs, const PointView& point,
                 const Followed& followed, const std::vector<EnvironmentStep>& steps,
                 const ChangePointRule& rule) {
  const Values values = values_of(runs, point.key, followed);
  std::vector<double> logs;
  Json list = Json::array();
  for (std::size_t i = 0; i < values.runs.size(); ++i) {
    logs.push_back(std::log(values.numbers[i]));
    list.push_back(
        {{"run", runs[values.runs[i]].view.id},
         {"started_utc", runs[values.runs[i]].view.started_utc},
         {"value", values.numbers[i]},
         {"interval", values.intervals[i] ? json_value(*values.intervals[i]) : Json(nullptr)}});
  }
  const std::vector<ChangePoint> points = change_points(logs, rule);
  Json changes = Json::array();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t run = values.runs[points[i].first];
    Json change{{"run", runs[run].view.id}, {"started_utc", runs[run].view.started_utc}};
    change.update(change_json(values, points, i, followed.better));
    change["environment"] = steps_json(steps_near(steps, run), runs);
    changes.push_back(std::move(change));
  }
  Json out = point.key;
  out["point"] = point.label;
  out["quantity"] = followed.name;
  out["values"] = std::move(list);
  out["change_points"] = std::move(changes);
  return out;
}

// The points of all runs, each once, in the order in which they came up.
std::vector<const PointView*> all_points(const std::vector<SeriesRun>& runs) {
  std::vector<const PointView*> points;
  for (const SeriesRun& run : runs) {
    for (const PointView& point : run.view.points) {
      const bool known = std::any_of(points.begin(), points.end(),
                                     [&](const PointView* one) { return one->key == point.key; });
      if (!known) points.push_back(&point);
    }
  }
  return points;
}

Json marks_json(const std::vector<SeriesRun>& runs) {
  Json list = Json::array();
  for (const SeriesRun& run : runs) {
    for (const Mark& mark : run.marks) {
      Json entry{{"run", run.view.id}};
      entry.update(to_json(mark));
      list.push_back(std::move(entry));
    }
  }
  return list;
}

}  // namespace

Json history_document(const std::vector<SeriesRun>& runs, const ChangePointRule& rule) {
  const ResultView& last = runs.back().view;
  const std::vector<EnvironmentStep> steps = environment_steps(runs);
  Json series = Json::array();
  for (const PointView* point : all_points(runs)) {
    for (const Followed& followed : kFollowed) {
      series.push_back(series_json(runs, *point, followed, steps, rule));
    }
  }
  return {{"schema", kHistorySchema},
          {"protocol", last.protocol},
          {"backend", last.backend},
          {"times_are", name(last.times_are)},
          {"devices", last.devices},
          {"fingerprint", last.fingerprint},
          {"runs", runs.size()},
          {"rule",
           {{"significance", rule.significance},
            {"shuffles", rule.shuffles},
            {"least_runs", rule.least_runs},
            {"seed", rule.seed}}},
          {"series", std::move(series)},
          {"environment", steps_json(steps, runs)},
          {"marks", marks_json(runs)}};
}

}  // namespace splitbench
