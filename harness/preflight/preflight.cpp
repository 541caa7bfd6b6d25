#include "harness/preflight/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "harness/preflight/findings.h"
#include "harness/process/asked_child.h"
#include "harness/rank/rank_process.h"
#include "harness/rank/shared_region.h"
#include "harness/survey_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kMendSilence =
    "if this machine is only slow to start, give it longer with --deadline; else restart it, and "
    "look at the kernel log";
constexpr const char* kMendEnd =
    "look at the kernel log: memory may have run out, or a driver failed";

std::string mend_of(const std::string& failure) {
  return failure.find("said nothing") != std::string::npos ? kMendSilence : kMendEnd;
}

// What one child told.
struct Told {
  std::vector<CheckResult> results;
  Json facts = Json::object();
};

// Who listens to one child.
class Listener {
 public:
  Listener(Risk risk, std::string who) : risk_(risk), who_(std::move(who)) {}

  // Whether it was the last line.
  bool hear(const Json& line) {
    if (line.contains("doing")) {
      doing_ = line["doing"].get<std::string>();
      at_ = line.at("check").get<std::string>();
    } else if (line.contains("found")) {
      told_.results.push_back(check_result_from_json(line["found"]));
    } else if (line.contains("learned")) {
      told_.facts[line["learned"].get<std::string>()] = line.at("fact");
    } else {
      reason_ = line.at("end").get<std::string>();
      return true;
    }
    return false;
  }

  // `failure`: what became of the child, empty where it came to its end.
  Told told(const std::string& failure) && {
    if (!failure.empty()) {
      reason_ = fmt::format("{}{} while {}", who_, failure, doing_);
      if (!at_.empty()) told_.results.push_back(faulty(at_, reason_, mend_of(failure)));
    }
    if (!reason_.empty()) told_.facts["not_examined"] = reason_;
    const std::string why = "not looked at: " + why_no_further();
    for (const Check& check : known_checks()) {
      if (check.risk != risk_ || has(check.name)) continue;
      told_.results.push_back(not_known(check.name, why));
    }
    return std::move(told_);
  }

 private:
  bool has(std::string_view check) const {
    return std::any_of(told_.results.begin(), told_.results.end(),
                       [check](const CheckResult& result) { return result.check == check; });
  }
  // Why the child came no further; else what it found before that was not well.
  std::string why_no_further() const {
    if (!reason_.empty()) return reason_;
    for (const CheckResult& result : told_.results) {
      if (result.status != CheckStatus::pass) return "see " + result.check;
    }
    return "nobody did";
  }

  Risk risk_;
  std::string who_;
  std::string doing_ = "starting";
  std::string at_;      // the check that the child is at
  std::string reason_;  // why it came no further
  Told told_;
};

Told ask_child(const PreflightPlan& plan, Risk risk, const Json& seat,
               const std::vector<std::string>& environment, std::optional<int> region,
               const std::string& who) {
  ChildQuestion question{.program = plan.program,
                         .command = "examination",
                         .document = seat,
                         .environment = environment,
                         .descriptors = {},
                         .silence = plan.silence};
  question.document["risk"] = name_in(risks(), risk);
  question.document["module"] = plan.module.string();
  // So that the silence of one that waits is noticed here first.
  question.document["patience_s"] = 2 * plan.silence.value();
  if (region) question.descriptors.push_back({.ours = *region, .its = kRegionFd});
  Listener listener(risk, who);
  std::string failure;
  try {
    failure = listen(question, [&](const Json& line) { return listener.hear(line); });
  } catch (const std::exception& error) {
    failure = error.what();
  }
  return std::move(listener).told(failure);
}

Told not_asked(Risk risk, const std::string& why) {
  Listener listener(risk, {});
  listener.hear({{"end", why}});
  return std::move(listener).told({});
}

// One child per rank, as in a run.
Told ask_ranks(const PreflightPlan& plan, Risk risk, const DeviceRequest& devices,
               const std::vector<std::string>& environment) {
  if (devices.ranks < 2) return not_asked(risk, "it takes two devices that can be used");
  const SharedRegion region = SharedRegion::create(devices.ranks, 0);
  std::vector<std::future<Told>> asked;
  for (int rank = 0; rank < devices.ranks; ++rank) {
    asked.push_back(std::async(std::launch::async, [&, rank] {
      return ask_child(plan, risk, {{"devices", to_json(devices)}, {"rank", rank}}, environment,
                       region.fd(), fmt::format("rank {} ", rank));
    }));
  }
  Told all;
  for (std::future<Told>& future : asked) {
    Told told = future.get();
    std::move(told.results.begin(), told.results.end(), std::back_inserter(all.results));
    all.facts.update(told.facts);
  }
  return all;
}

bool is_of_ranks(Risk risk) {
  return risk == Risk::collective || risk == Risk::staged;
}

class Look {
 public:
  explicit Look(const PreflightPlan& plan) : plan_(plan) {}

  Preflight run() {
    std::vector<std::pair<Risk, std::future<Told>>> asked;
    for (const Risk risk : plan_.risks) {
      if (risk != Risk::surroundings && risk != Risk::management) continue;
      asked.emplace_back(risk, std::async(std::launch::async,
                                          [this, risk] { return ask_alone(risk, plan_.devices); }));
    }
    keep(Risk::runtime, ask_alone(Risk::runtime, plan_.devices));
    const Json runtime = answer_.facts[name_in(risks(), Risk::runtime)];
    for (const Risk risk : plan_.risks) {
      if (risk == Risk::surroundings || risk == Risk::management || risk == Risk::copies) continue;
      asked.emplace_back(risk, std::async(std::launch::async, [this, risk, &runtime] {
                           return ask_after_runtime(risk, runtime);
                         }));
    }
    for (auto& [risk, future] : asked) keep(risk, future.get());
    if (std::count(plan_.risks.begin(), plan_.risks.end(), Risk::copies) > 0) time_copies(runtime);
    found_ = of_devices_asked_for(std::move(found_), answer_.facts);
    std::erase_if(found_, [](const CheckResult& result) { return result.check == "device-count"; });
    found_.push_back(count_devices(answer_.facts, plan_.devices));
    std::vector<Risk> looked_at = plan_.risks;
    looked_at.push_back(Risk::runtime);
    answer_.results = in_order(found_, looked_at);
    return std::move(answer_);
  }

 private:
  Told ask_alone(Risk risk, const DeviceRequest& devices) const {
    return ask_child(plan_, risk, {{"devices", to_json(devices)}, {"rank", 0}}, {}, {}, {});
  }

  Told ask_after_runtime(Risk risk, const Json& runtime) const {
    if (!runtime.contains("usable_devices")) {
      return not_asked(risk, "which devices can be used is not known");
    }
    DeviceRequest devices = plan_.devices;
    devices.devices = runtime["usable_devices"].get<std::vector<int>>();
    devices.ranks = static_cast<int>(devices.devices.size());
    if (!is_of_ranks(risk)) return ask_alone(risk, devices);
    const char* environment = risk == Risk::staged ? "staged_environment" : "rank_environment";
    return ask_ranks(plan_, risk, devices, runtime.at(environment).get<std::vector<std::string>>());
  }

  // With nothing else at work, and never of bytes that do not arrive.
  void time_copies(const Json& runtime) {
    const bool sound = together("peer-data", found_).status == CheckStatus::pass;
    keep(Risk::copies, sound ? ask_after_runtime(Risk::copies, runtime)
                             : not_asked(Risk::copies, "peer-data has not passed"));
  }

  void keep(Risk risk, Told told) {
    std::move(told.results.begin(), told.results.end(), std::back_inserter(found_));
    answer_.facts[name_in(risks(), risk)] = std::move(told.facts);
  }

  const PreflightPlan& plan_;
  std::vector<CheckResult> found_;
  Preflight answer_;
};

}  // namespace

std::vector<Risk> risks_of_a_run() {
  return {Risk::surroundings, Risk::management, Risk::peers, Risk::collective};
}

Preflight look_at_node(const PreflightPlan& plan) {
  return Look(plan).run();
}

Json start_up_of(const Json& facts) {
  const auto seconds = [&](Risk risk) {
    const std::string key(name_in(risks(), risk));
    return facts.contains(key) ? facts[key].value("start_up_s", Json(nullptr)) : Json(nullptr);
  };
  return {{"cuda", seconds(Risk::runtime)}, {"nccl", seconds(Risk::collective)}};
}

Preflight look_with_a_module(const std::vector<std::filesystem::path>& modules,
                             PreflightPlan plan) {
  std::optional<Preflight> first;
  for (const std::filesystem::path& module : modules) {
    plan.module = module;
    Preflight preflight = look_at_node(plan);
    const CheckResult driver = together("driver-version", preflight.results);
    if (driver.status == CheckStatus::pass || driver.fault) return preflight;
    if (!first) first = std::move(preflight);
  }
  return first ? *std::move(first) : look_at_node(plan);
}

void require_sound(const std::vector<CheckResult>& results) {
  for (const CheckResult& result : results) {
    if (result.status != CheckStatus::fail) continue;
    const std::string reason = fmt::format("check {}: {}", result.check, result.seen);
    if (!result.fault) throw CannotRunHere(reason, result.mend);
    throw HarnessError(reason + "\nTo mend it: " + result.mend);
  }
}

std::vector<std::string> notes_of(const std::vector<CheckResult>& results) {
  std::vector<std::string> notes;
  for (const CheckResult& result : results) {
    const bool open = result.status == CheckStatus::unknown && known_check(result.check).essential;
    if (result.status != CheckStatus::warn && !open) continue;
    notes.push_back(fmt::format("before the run, check {} ({}): {}", result.check,
                                name(result.status), result.seen));
  }
  return notes;
}

}  // namespace splitbench
