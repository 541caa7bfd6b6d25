#include "results/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kSteadyClock = 0.02;

std::string text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_software(const Json& software, Environment& facts) {
  for (const auto& [library, version] : software.items()) {
    facts.push_back({"software." + library, text(version)});
  }
}

void add_node(const Json& node, Environment& facts) {
  add_software(node.at("software"), facts);
  int rank = 0;
  for (const Json& device : node.at("devices")) {
    const std::string whose = fmt::format("device of rank {}", rank++);
    facts.push_back({whose, device.at("name").get<std::string>()});
    if (device.contains("uuid")) facts.push_back({whose + ", uuid", text(device["uuid"])});
  }
  for (const Json& link : node.at("links")) {
    facts.push_back({fmt::format("link {}-{}", link.at("a").get<int>(), link.at("b").get<int>()),
                     fmt::format("{} ({})", link.at("kind").get<std::string>(),
                                 link.at("path").get<std::string>())});
  }
}

void add_checks(const Json& checks, Environment& facts) {
  for (const Json& check : checks) {
    const auto status = check.at("status").get<std::string>();
    if (status != "PASS") facts.push_back({"check " + text(check.at("check")), status});
  }
}

void add_clocks(const Json& sessions, Environment& facts) {
  std::map<int, std::vector<double>> clocks;
  for (const Json& session : sessions) {
    for (const Json& device : session.at("devices")) {
      const Json& readings = device.at("readings");
      const auto clock = readings.find("sm_clock_hz");
      if (clock == readings.end()) continue;
      clocks[device.at("rank").get<int>()].push_back(
          std::midpoint(clock->at("least").get<double>(), clock->at("most").get<double>()));
    }
  }
  for (const auto& [rank, seen] : clocks) {
    double sum = 0.0;
    for (const double clock : seen) sum += clock;
    const double mean = sum / static_cast<double>(seen.size());
    facts.push_back(
        {fmt::format("clock of rank {}", rank), fmt::format("{:.0f} MHz", mean / 1e6), mean});
  }
}

// One of all points, and only of simulated devices: "scenario/noise/state/sd".
void add_scenario(const Json& points, Environment& facts) {
  const Json::json_pointer where("/0/choices/scenario");
  if (!points.contains(where)) return;
  const Json members = points.at(where).flatten();
  for (const auto& [path, value] : members.items()) {
    facts.push_back({"scenario" + path, text(value)});
  }
}

const EnvironmentFact* find(const Environment& facts, const std::string& what) {
  const auto found = std::find_if(facts.begin(), facts.end(), [&what](const EnvironmentFact& fact) {
    return fact.what == what;
  });
  return found == facts.end() ? nullptr : &*found;
}

bool differ(const EnvironmentFact& a, const EnvironmentFact& b) {
  if (a.number > 0.0 && b.number > 0.0)
    return std::abs(std::log(b.number / a.number)) > kSteadyClock;
  return a.value != b.value;
}

}  // namespace

Environment environment(const Json& result) {
  Environment facts;
  const Json& provenance = result.at("provenance");
  facts.push_back({"splitbench", provenance.at("version").get<std::string>()});
  const Json& commit = provenance.at("commit");
  if (!commit.is_null()) facts.push_back({"commit of splitbench", commit.get<std::string>()});
  add_node(result.at("node"), facts);
  add_checks(result.at("preflight"), facts);
  add_clocks(result.at("health").at("sessions"), facts);
  facts.push_back({"sessions", text(result.at("rounds").at("sessions"))});
  add_scenario(result.at("points"), facts);
  return facts;
}

std::vector<EnvironmentChange> changes(const Environment& before, const Environment& after) {
  std::vector<EnvironmentChange> changed;
  for (const EnvironmentFact& fact : before) {
    const EnvironmentFact* now = find(after, fact.what);
    if (now == nullptr) {
      changed.push_back({fact.what, fact.value, ""});
    } else if (differ(fact, *now)) {
      changed.push_back({fact.what, fact.value, now->value});
    }
  }
  for (const EnvironmentFact& fact : after) {
    if (find(before, fact.what) == nullptr) changed.push_back({fact.what, "", fact.value});
  }
  return changed;
}

Json to_json(const std::vector<EnvironmentChange>& changes) {
  const auto or_null = [](const std::string& value) {
    return value.empty() ? Json(nullptr) : Json(value);
  };
  Json list = Json::array();
  for (const EnvironmentChange& change : changes) {
    list.push_back({{"what", change.what},
                    {"before", or_null(change.before)},
                    {"after", or_null(change.after)}});
  }
  return list;
}

}  // namespace splitbench
