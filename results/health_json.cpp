#include "results/health_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kSmClock = "sm_clock_hz";
constexpr const char* kPowerCap = "software_power_cap";

struct Extent {
  double least;
  double most;
};

// All readings of one device in one session.
struct DeviceHistory {
  int rounds = 0;
  std::map<std::string, Extent> readings;
  std::map<std::string, std::uint64_t> first_count;
  std::map<std::string, std::uint64_t> last_count;
  std::map<std::string, int> clock_reasons;  // rounds in which each was given
  std::optional<int> other_processes;        // the most
  std::map<std::string, std::string> unknown;

  void add_counters(const DeviceHealth& health) {
    for (const auto& [counter, count] : health.error_counters) {
      first_count.emplace(counter, count);
      last_count[counter] = count;
    }
  }

  void add_round(const DeviceHealth& health) {
    ++rounds;
    add_counters(health);
    for (const auto& [key, value] : health.readings) {
      Extent& extent = readings.try_emplace(key, Extent{value, value}).first->second;
      extent = {std::min(extent.least, value), std::max(extent.most, value)};
    }
    if (health.clock_reasons) {
      for (const std::string& reason : *health.clock_reasons) ++clock_reasons[reason];
    }
    if (health.other_processes) {
      other_processes = std::max(other_processes.value_or(0), *health.other_processes);
    }
    unknown.insert(health.unknown.begin(), health.unknown.end());
  }
};

using DeviceHistories = std::map<int, DeviceHistory>;  // by rank

DeviceHistories histories(const SessionRecord& session, std::span<const RoundRecord> rounds) {
  DeviceHistories devices;
  for (const DeviceHealth& health : session.devices_before) {
    devices[health.rank].add_counters(health);
  }
  for (const RoundRecord& round : rounds) {
    if (round.session != session.session) continue;
    for (const DeviceHealth& health : round.health) devices[health.rank].add_round(health);
  }
  return devices;
}

Json device_json(int rank, const DeviceHistory& device) {
  Json readings = Json::object();
  for (const auto& [key, extent] : device.readings) {
    readings[key] = {{"least", extent.least}, {"most", extent.most}};
  }
  Json errors = Json::object();
  for (const auto& [counter, last] : device.last_count) {
    errors[counter] = last - device.first_count.at(counter);
  }
  return {
      {"rank", rank},
      {"rounds", device.rounds},
      {"readings", std::move(readings)},
      {"errors", std::move(errors)},
      {"clock_reasons", device.clock_reasons},
      {"other_processes", device.other_processes ? Json(*device.other_processes) : Json(nullptr)},
      {"unknown", device.unknown}};
}

// A rank's device over all sessions.
struct DeviceRun {
  int rounds = 0;
  int power_capped = 0;
  std::optional<Extent> sm_clock;
  std::vector<double> fixed_work;  // by round
  std::string unknown;             // the first of what decides whether a round counts
};

std::map<int, DeviceRun> device_runs(std::span<const RoundRecord> rounds) {
  std::map<int, DeviceRun> runs;
  for (const RoundRecord& round : rounds) {
    for (const DeviceHealth& health : round.health) {
      DeviceRun& run = runs[health.rank];
      ++run.rounds;
      if (health.clock_reasons) {
        run.power_capped += static_cast<int>(
            std::count(health.clock_reasons->begin(), health.clock_reasons->end(), kPowerCap));
      }
      if (const auto clock = health.readings.find(kSmClock); clock != health.readings.end()) {
        const Extent now = run.sm_clock.value_or(Extent{clock->second, clock->second});
        run.sm_clock =
            Extent{std::min(now.least, clock->second), std::max(now.most, clock->second)};
      }
      if (const auto work = health.readings.find(kFixedWork); work != health.readings.end()) {
        run.fixed_work.push_back(work->second);
      }
      for (const char* key : {kWholeHealth, kClockReasons, kOtherProcesses}) {
        const auto found = health.unknown.find(key);
        if (run.unknown.empty() && found != health.unknown.end()) run.unknown = found->second;
      }
    }
  }
  return runs;
}

std::string megahertz(double hertz) {
  return std::to_string(std::lround(hertz * 1e-6));
}

void note_device(int rank, const DeviceRun& run, std::vector<std::string>& notes) {
  constexpr double kSteady = 1.02;  // of the largest clock to the least
  const std::string whose = "the device of rank " + std::to_string(rank);
  if (run.power_capped > 0) {
    notes.push_back(whose + " was held at its power limit in " + std::to_string(run.power_capped) +
                    " of " + std::to_string(run.rounds) + " rounds: its times hold for that limit");
  }
  if (run.sm_clock && run.sm_clock->most > kSteady * run.sm_clock->least) {
    notes.push_back("the clock of " + whose + " moved between " + megahertz(run.sm_clock->least) +
                    " and " + megahertz(run.sm_clock->most) + " MHz");
  }
}

// One sentence for all devices of which the same is unknown.
void note_unknown(const std::map<int, DeviceRun>& runs, std::vector<std::string>& notes) {
  std::map<std::string, std::string> ranks;  // by what is unknown
  for (const auto& [rank, run] : runs) {
    if (run.unknown.empty()) continue;
    std::string& list = ranks[run.unknown];
    if (!list.empty()) list += ", ";
    list += std::to_string(rank);
  }
  for (const auto& [what, list] : ranks) {
    notes.push_back(fmt::format("not known of the devices of ranks {}: {}", list, what));
  }
}

// The largest share of a session in which some rank's device was taken by others; 0 where no
// backend looked.
double taken_by_others(std::span<const SessionRecord> sessions) {
  double largest = 0.0;
  for (const SessionRecord& session : sessions) {
    for (const Json& rank : session.health) {
      largest = std::max(largest, rank.value("device_taken_by_others", 0.0));
    }
  }
  return largest;
}

// Share of the rounds at whose end the device was slower than at its best, by more than times
// move by themselves; 0 where no backend looked.
double slowed_share(const DeviceRun& run) {
  constexpr double kSlow = 1.2;
  if (run.fixed_work.empty()) return 0.0;
  const double limit = kSlow * *std::min_element(run.fixed_work.begin(), run.fixed_work.end());
  const auto slow = std::count_if(run.fixed_work.begin(), run.fixed_work.end(),
                                  [limit](double seconds) { return seconds > limit; });
  return static_cast<double>(slow) / static_cast<double>(run.fixed_work.size());
}

void note_slowed(const std::map<int, DeviceRun>& runs, std::vector<std::string>& notes) {
  constexpr double kRare = 0.05;
  double largest = 0.0;
  for (const auto& [rank, run] : runs) largest = std::max(largest, slowed_share(run));
  if (largest <= kRare) return;
  notes.push_back(
      fmt::format("at the end of up to {:.0f} % of rounds a device needed over a fifth more time "
                  "than at its best for the same arithmetic: another machine may share its core, "
                  "or its clock moves",
                  100.0 * largest));
}

}  // namespace

Json health_json(std::span<const SessionRecord> sessions, std::span<const RoundRecord> rounds) {
  Json list = Json::array();
  for (const SessionRecord& session : sessions) {
    Json devices = Json::array();
    for (const auto& [rank, device] : histories(session, rounds)) {
      devices.push_back(device_json(rank, device));
    }
    Json entry{{"session", session.session}};
    if (session.start_up) entry["start_up_s"] = session.start_up->value();
    entry["ranks"] = session.health;
    entry["devices"] = std::move(devices);
    list.push_back(std::move(entry));
  }
  return {{"sessions", std::move(list)}};
}

std::vector<std::string> health_notes(std::span<const SessionRecord> sessions,
                                      std::span<const RoundRecord> rounds) {
  std::vector<std::string> notes;
  // Below that the machine was as quiet as machines are.
  constexpr double kBusy = 0.02;
  if (const double taken = taken_by_others(sessions); taken > kBusy) {
    notes.push_back("other processes took a device for up to " +
                    std::to_string(std::lround(100.0 * taken)) +
                    " % of a session: these times are not the machine's own");
  }
  const std::map<int, DeviceRun> runs = device_runs(rounds);
  for (const auto& [rank, run] : runs) note_device(rank, run, notes);
  note_slowed(runs, notes);
  note_unknown(runs, notes);
  return notes;
}

}  // namespace splitbench
