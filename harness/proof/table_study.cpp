#include "harness/proof/table_study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/proof/table_figures.h"

namespace splitbench::proof {
namespace {

using Json = nlohmann::ordered_json;

// What is asked of ours: a little less than plain log-log interpolation reaches on these tables.
struct Bars {
  double mean_error;
  double p95_error;
};
constexpr Bars kDense{0.009, 0.04};
constexpr Bars kFactorTwo{0.016, 0.08};
constexpr Interval kCovers{0.93, 1.0};

// Percent, or null of none.
Json percent(const Proportion& proportion) {
  if (proportion.trials == 0) return nullptr;
  return 100.0 * proportion.share();
}
Json mean_percent(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  return 100.0 * mean(values, 0.95, "value")->value;
}
Json percent_at(double share, const std::vector<double>& ascending) {
  if (ascending.empty()) return nullptr;
  return 100.0 * quantile(ascending, share);
}

Json row(const std::string& tables, const TableFigures& figures) {
  return {{"tables", tables},
          {"prediction", figures.method},
          {"shapes", figures.none.trials},
          {"mean |error|, %", mean_percent(figures.errors)},
          {"p95, %", percent_at(0.95, figures.errors)},
          {"max, %", percent_at(1.0, figures.errors)},
          {"intervals cover, %", percent(figures.covered)},
          {"half width, %", mean_percent(figures.half_widths)},
          {"right, %", percent(figures.right)},
          {"wrong, %", percent(figures.wrong)},
          {"inconclusive, %", percent(figures.inconclusive)},
          {"wrong winner, %", percent(figures.wrong_winner)},
          {"none, %", percent(figures.none)}};
}

// A table has no chance: the figure is what it is.
Claim fixed(const std::string& what, const std::string& tables, double figure, Interval limits) {
  return claim(what + ", " + tables, figure, {figure, figure}, limits);
}

void add_claims(Study& study, const PublishedTables& published, const TableFigures& ours) {
  const Bars bars = published.dense ? kDense : kFactorTwo;
  const auto add = [&](const char* what, double figure, Interval limits) {
    study.claims.push_back(fixed(what, published.name, figure, limits));
  };
  add("mean error", mean(ours.errors, 0.95, "error")->value, {0.0, bars.mean_error});
  add("95th percentile of the error", quantile(ours.errors, 0.95), {0.0, bars.p95_error});
  add("coverage of 95 % intervals", ours.covered.share(), kCovers);
  add("wrong calls", ours.wrong.share(), {0.0, 0.0});
}

std::string about(const std::vector<PublishedTables>& all) {
  std::string text =
      "T_N of every shape of tables that others published, over 2 ranks, against the tables' own "
      "entry of the all-reduce, which no prediction read, nor any within 2 % of it. Sizes of the "
      "`vidur` tables are a few percent apart, of the others a factor of two. `right`, `wrong`: "
      "calls on the split; what has no interval calls by the value, as `wrong winner` does of "
      "all. A table has one number for a time: nothing to pool, no sessions, and no chance in "
      "these figures; shapes of one message share an error. Asked of ours: mean at most 0.9 % and "
      "p95 4 % (`vidur`), 1.6 and 8 % (the others), 93 % covered, no call wrong.";
  for (const PublishedTables& published : all) {
    text += fmt::format(" {}: from {}.", published.name, fmt::join(published.sources, "; "));
  }
  return text;
}

}  // namespace

std::vector<Study> public_tables(const Order& order, Ticker& ticker) {
  Study study{.name = "public tables", .about = about(order.tables)};
  if (order.tables.empty()) {
    study.not_run = "no folder of tables was given (--tables DIR); they are no part of the project";
    return {std::move(study)};
  }
  ticker.begin("tables", static_cast<long>(order.tables.size()));
  for (const PublishedTables& published : order.tables) {
    const std::vector<TableFigures> figures = table_figures(published);
    for (const TableFigures& of : figures) study.rows.push_back(row(published.name, of));
    if (!figures.front().errors.empty()) add_claims(study, published, figures.front());
    ticker.step();
  }
  ticker.end();
  return {std::move(study)};
}

}  // namespace splitbench::proof
