#include "results/joined_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/quantity_text.h"
#include "protocols/document.h"

namespace splitbench {
namespace {

// Between two collections of one table on one model; docs/estimates.md.
constexpr double kUsualSpread = 1.1;

[[noreturn]] void refuse(const RunOfFile& at, std::size_t line, const std::string& why) {
  throw BadDocument(at.file, "", {.line = std::max<std::size_t>(line, 1), .column = 1}, why);
}

std::string where(const RunOfFile& run, std::size_t line) {
  return fmt::format("{}:{}", run.file, line);
}

std::set<std::string> models_of(const CollectiveRun& run) {
  std::set<std::string> models;
  for (const RunDevice& device : run.devices) models.insert(device.name);
  return models;
}

// Empty where one is not said whole, and of several hosts, whose addresses are often the same.
std::set<std::string> addresses_of(const CollectiveRun& run) {
  std::set<std::string> addresses;
  for (const RunDevice& device : run.devices) {
    if (!is_whole_address(device.bus)) return {};
    addresses.insert(device.bus);
  }
  return is_on_several_hosts(run) ? std::set<std::string>() : addresses;
}

void refuse_other(const RunOfFile& first, const RunOfFile& other,
                  const std::set<std::string>& expected, const std::set<std::string>& found) {
  if (expected.empty() || found.empty() || expected == found) return;
  refuse(other, other.run->line,
         fmt::format("a run of {}, and {} is of {}: expected runs of the same GPUs",
                     fmt::join(found, ", "), where(first, first.run->line),
                     fmt::join(expected, ", ")));
}

void refuse_other_devices(const RunOfFile& first, const RunOfFile& other) {
  if (first.run->devices.empty() || other.run->devices.empty()) return;
  refuse_other(first, other, models_of(*first.run), models_of(*other.run));
  const auto hosts = [](const CollectiveRun& run) {
    return std::set<std::string>{is_on_several_hosts(run) ? "several hosts" : "one host"};
  };
  refuse_other(first, other, hosts(*first.run), hosts(*other.run));
  const auto addresses = addresses_of(*first.run);
  const auto others = addresses_of(*other.run);
  if (addresses.empty() || others.empty() || addresses == others) return;
  refuse(
      other, other.run->line,
      fmt::format("its GPUs are at other addresses on the bus than those of {}: expected runs of "
                  "the same GPUs",
                  where(first, first.run->line)));
}

struct TimeOfRun {
  const RunOfFile* run = nullptr;
  const CollectiveRow* row = nullptr;

  Seconds time() const { return row->time().time; }
};

std::map<double, std::vector<TimeOfRun>> times_by_size(const std::vector<RunOfFile>& runs) {
  std::map<double, std::vector<TimeOfRun>> times;
  for (const RunOfFile& run : runs) {
    for (const CollectiveRow& row : run.run->rows) {
      const bool is_time = row.size > Bytes(0) && row.time().time > Seconds(0);
      if (is_time) times[row.size.value()].push_back({&run, &row});
    }
  }
  return times;
}

}  // namespace

double joined_spread(const std::vector<RunOfFile>& runs) {
  for (const RunOfFile& run : runs) refuse_other_devices(runs.front(), run);
  double largest = 1.0;
  for (const auto& [size, times] : times_by_size(runs)) {
    const auto [least, most] = std::minmax_element(
        times.begin(), times.end(),
        [](const TimeOfRun& a, const TimeOfRun& b) { return a.time() < b.time(); });
    const double spread = most->time() / least->time();
    if (spread > kMostSpread) {
      refuse(*most->run, most->row->line,
             fmt::format("{} took {} here and {} at {}, {:.1f} times less: expected runs whose "
                         "times at one size differ by less than {:g}",
                         to_text(most->row->size), to_text(most->time()), to_text(least->time()),
                         where(*least->run, least->row->line), spread, kMostSpread));
    }
    largest = std::max(largest, spread);
  }
  return largest;
}

std::string spread_note(double spread) {
  if (spread <= kUsualSpread) return {};
  return fmt::format("times of several runs differ by up to {:.0f} % at one size",
                     100.0 * (spread - 1.0));
}

}  // namespace splitbench
