#include "results/import/collective_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "model/quantity_text.h"
#include "model/wire.h"

namespace splitbench {
namespace {

constexpr int kMostRanks = 4096;

// Half a unit of the last digit of a rate as it is printed, in six columns with two digits behind
// the point where they fit: 193.64, 1715.4, 43046, 1e+06.
double half_digit(double rate) {
  if (rate < 1e3) return 0.005;
  if (rate < 1e4) return 0.05;
  return rate < 1e6 ? 0.5 : 0.5 * rate;
}

bool reduces(const CollectiveRow& row) {
  return !row.redop.empty() && row.redop != "none";
}

// The rate that tells most of a run.
const CollectiveTime* fastest(const CollectiveRun& run) {
  const CollectiveTime* best = nullptr;
  for (const CollectiveRow& row : run.rows) {
    const CollectiveTime& time = row.time();
    if (best == nullptr || time.algorithm_gb_per_s > best->algorithm_gb_per_s) best = &time;
  }
  return best;
}

// What busbw/algbw can be by what is printed.
struct Ratio {
  double low = 0.0;
  double high = 0.0;

  bool holds(double value) const { return low <= value && value <= high; }
};

std::optional<Ratio> ratio(const CollectiveRun& run) {
  const CollectiveTime* time = fastest(run);
  constexpr double kTooSmall = 0.1;  // to tell anything
  if (time == nullptr || time->algorithm_gb_per_s < kTooSmall) return std::nullopt;
  const double algorithm = time->algorithm_gb_per_s;
  const double bus = time->bus_gb_per_s;
  return Ratio{std::max(bus - half_digit(bus), 0.0) / (algorithm + half_digit(algorithm)),
               (bus + half_digit(bus)) / (algorithm - half_digit(algorithm))};
}

// The only number of ranks of which an all-reduce has this ratio.
std::optional<int> ranks_of(const Ratio& ratio) {
  std::optional<int> found;
  for (int ranks = 2; ranks <= kMostRanks; ++ranks) {
    if (!ratio.holds(bus_bandwidth_factor(ranks, Collective::all_reduce))) continue;
    if (found) return std::nullopt;
    found = ranks;
  }
  return found;
}

// Reductions with a root, which only some versions print, are not told from an all-reduce of two
// ranks by their rates; no run of any of these is named in what is left of such a text.
void tell_collective(CollectiveRun& run) {
  if (!run.collective.empty() || run.rows.empty() || !reduces(run.rows.front())) return;
  const auto rates = ratio(run);
  const bool unchecked_in_place =
      std::any_of(run.rows.begin(), run.rows.end(), [](const CollectiveRow& row) {
        return row.out_of_place && row.out_of_place->wrong && row.in_place && !row.in_place->wrong;
      });
  if (unchecked_in_place) return;  // sendrecv
  if (rates && !(rates->high >= 1.0)) return;
  run.collective = kAllReduce;
  run.notes.emplace_back("the text does not name the collective; its columns are an all-reduce's");
}

void tell_ranks(CollectiveRun& run) {
  if (!run.devices.empty()) {
    const auto last =
        std::max_element(run.devices.begin(), run.devices.end(),
                         [](const auto& a, const auto& b) { return a.rank < b.rank; });
    run.ranks = std::max(run.ranks.value_or(0), last->rank + 1);
  }
  const auto rates = ratio(run);
  if (!rates) return;
  if (rates->high < 0.01 && !run.ranks) run.ranks = 1;
  if (run.collective != kAllReduce) return;
  const auto told = ranks_of(*rates);
  if (!run.ranks && told) {
    run.ranks = told;
    run.ranks_from_bandwidths = true;
    run.notes.push_back(fmt::format(
        "the text does not list the ranks; busbw/algbw is that of an all-reduce of {}", *told));
  } else if (run.ranks && told && *told != *run.ranks) {
    run.notes.push_back(fmt::format(
        "{} ranks are listed, but busbw/algbw is that of an all-reduce of {}", *run.ranks, *told));
    run.ranks = told;
    run.ranks_from_bandwidths = true;
  }
}

void note_shared_devices(CollectiveRun& run) {
  if (!shares_a_device(run)) return;
  run.notes.emplace_back(
      "two ranks are on one GPU: these times say nothing of a link between GPUs");
}

// nccl-tests without -c, or of a type that it does not check.
void note_unchecked(CollectiveRun& run) {
  const auto looked = [](const std::optional<CollectiveTime>& time) { return time && time->wrong; };
  const bool checked =
      std::any_of(run.rows.begin(), run.rows.end(), [&looked](const CollectiveRow& row) {
        return looked(row.out_of_place) || looked(row.in_place);
      });
  if (run.rows.empty() || checked) return;
  run.notes.emplace_back("nobody checked its results: they may be wrong, and the times with them");
}

constexpr std::string_view kIndependent = "independent jobs print into one stream";

std::optional<Remark> repeated_rank(const CollectiveRun& run) {
  std::set<int> ranks;
  for (const RunDevice& device : run.devices) {
    if (!ranks.insert(device.rank).second) {
      return Remark{run.line,
                    fmt::format("{}: rank {} is listed twice", kIndependent, device.rank)};
    }
  }
  return std::nullopt;
}

// How often one job went through all its sizes (nccl-tests -N), the last time perhaps not to the
// end. 1 where nothing says that it was one job: without a list of devices it may have been two.
std::size_t passes_of(const CollectiveRun& run) {
  const auto& rows = run.rows;
  const auto back = std::adjacent_find(
      rows.begin(), rows.end(),
      [](const CollectiveRow& row, const CollectiveRow& next) { return next.size <= row.size; });
  if (back == rows.end() || run.devices.empty()) return 1;
  const auto pass = static_cast<std::size_t>(back - rows.begin()) + 1;
  for (std::size_t i = pass; i < rows.size(); ++i) {
    if (rows[i].size != rows[i - pass].size) return 1;
  }
  return (rows.size() + pass - 1) / pass;
}

// One row for each size: of several passes that with the median time.
void join_passes(CollectiveRun& run, std::size_t passes) {
  std::map<double, std::vector<CollectiveRow>> by_size;
  for (CollectiveRow& row : run.rows) by_size[row.size.value()].push_back(std::move(row));
  run.rows.clear();
  for (auto& [size, rows] : by_size) {
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>((rows.size() - 1) / 2);
    std::nth_element(rows.begin(), middle, rows.end(),
                     [](const CollectiveRow& row, const CollectiveRow& other) {
                       return row.time().time < other.time().time;
                     });
    run.rows.push_back(std::move(*middle));
  }
  run.notes.push_back(
      fmt::format("all sizes were run {} times: of each the time in the middle is used", passes));
}

std::optional<Remark> backward_size(const CollectiveRun& run) {
  const bool repeats = passes_of(run) > 1;
  for (std::size_t i = 1; i < run.rows.size(); ++i) {
    const CollectiveRow& row = run.rows[i];
    const CollectiveRow& before = run.rows[i - 1];
    if (row.tag != before.tag) {
      return Remark{row.line, fmt::format("{}: rows of rank {} and rank {}", kIndependent,
                                          before.tag, row.tag)};
    }
    if (repeats) continue;
    if (row.size < before.size || (row.size == before.size && row.size > Bytes(0))) {
      return Remark{row.line, fmt::format("{}: after {} there is {}", kIndependent,
                                          to_text(before.size), to_text(row.size))};
    }
  }
  return std::nullopt;
}

std::optional<Remark> wrong_results(const CollectiveRun& run) {
  for (const CollectiveRow& row : run.rows) {
    for (const auto& time : {row.out_of_place, row.in_place}) {
      if (time && time->wrong && *time->wrong > 0.0) {
        return Remark{row.line, fmt::format("wrong results: {:.0f} wrong values at {}",
                                            *time->wrong, to_text(row.size))};
      }
    }
  }
  if (run.out_of_bounds && *run.out_of_bounds > 0.0) {
    return Remark{run.line,
                  fmt::format("wrong results: {:g} values are out of bounds", *run.out_of_bounds)};
  }
  return std::nullopt;
}

void refuse_implausible_rows(CollectiveRun& run) {
  std::vector<CollectiveRow> rows;
  for (CollectiveRow& row : run.rows) {
    if (const std::string why = implausible(row); !why.empty()) {
      run.refused_rows.push_back({row.line, why});
    } else {
      rows.push_back(std::move(row));
    }
  }
  run.rows = std::move(rows);
}

std::optional<Remark> find_flaw(const CollectiveRun& run) {
  if (auto flaw = repeated_rank(run)) return flaw;
  if (auto flaw = backward_size(run)) return flaw;
  if (auto flaw = wrong_results(run)) return flaw;
  if (run.ranks == 1) return Remark{run.line, "one rank: nothing was communicated"};
  if (run.times_of_host) {
    return Remark{run.line,
                  "cputime is what the host takes to launch, not what the collective takes: "
                  "expected a log of nccl-tests without -C"};
  }
  return std::nullopt;
}

std::optional<Remark> without_rows(const CollectiveRun& run) {
  if (!run.rows.empty()) return std::nullopt;
  if (run.refused_rows.empty())
    return Remark{run.line, "a header and no rows: the run did not end"};
  return Remark{run.refused_rows.front().line, "no whole row: " + run.refused_rows.front().text};
}

}  // namespace

std::string library_version(long long code) {
  if (code <= 0) return {};
  const long long major = code >= 10'000 ? 10'000 : 1'000;
  return fmt::format("NCCL {}.{}.{}", code / major, code % major / 100, code % 100);
}

bool is_whole_address(const std::string& bus) {
  return std::count(bus.begin(), bus.end(), ':') >= 2;
}

bool is_on_several_hosts(const CollectiveRun& run) {
  return std::any_of(run.devices.begin(), run.devices.end(), [&run](const RunDevice& device) {
    return device.host != run.devices.front().host;
  });
}

bool shares_a_device(const CollectiveRun& run) {
  std::set<std::string> seen;
  return std::any_of(run.devices.begin(), run.devices.end(), [&seen](const RunDevice& device) {
    return is_whole_address(device.bus) && !seen.insert(device.host + " " + device.bus).second;
  });
}

std::string implausible(const CollectiveRow& row) {
  constexpr Seconds kLeast(1e-9);
  constexpr Seconds kMost(86400.0);
  const CollectiveTime& time = row.time();
  if (!(row.size > Bytes(0))) return {};
  if (!(time.time >= kLeast && time.time <= kMost)) {
    return fmt::format("a time of {:g} s is none of an all-reduce", time.time.value());
  }
  const double told = time.algorithm_gb_per_s;
  if (told == 0.0 && time.bus_gb_per_s == 0.0) return {};  // nobody told
  // Times are printed with three digits at least.
  constexpr double kRounded = 0.01;
  const double rate = (row.size / time.time).value() / 1e9;
  if (std::abs(rate - told) <= half_digit(told) + kRounded * rate) return {};
  return fmt::format("{} in {} are {:.3g} GB/s, and algbw says {:g}", to_text(row.size),
                     to_text(time.time), rate, told);
}

void examine(CollectiveRun& run) {
  tell_collective(run);
  tell_ranks(run);
  note_shared_devices(run);
  note_unchecked(run);
  if (!run.flaw) run.flaw = find_flaw(run);
  const std::size_t passes = passes_of(run);
  if (run.collective == kAllReduce) refuse_implausible_rows(run);
  if (!run.flaw && passes > 1) join_passes(run, passes);
  if (!run.flaw) run.flaw = without_rows(run);
}

}  // namespace splitbench
