#include "harness/preflight/preflight.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <utility>

#include "harness/preflight/findings.h"
#include "harness/preflight/told.h"
#include "harness/process/asked_child.h"
#include "harness/rank/rank_process.h"
#include "harness/rank/shared_region.h"
#include "harness/survey_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

bool is_of_ranks(Risk risk) {
  return risk == Risk::collective || risk == Risk::staged;
}

// Once: what several may bring, the first of them.
class Announcement {
 public:
  std::future<Json> news() { return promise_.get_future(); }
  void bring(const Json& what) {
    if (!std::exchange(brought_, true)) promise_.set_value(what);
  }

 private:
  std::promise<Json> promise_;
  bool brought_ = false;
};

// What a child is asked beside the risk.
struct Seat {
  DeviceRequest devices;
  int rank = 0;
  std::vector<std::string> environment = {};
  std::optional<int> region = {};  // shared by the ranks
  std::string who = {};            // how it is called
};

class Look {
 public:
  explicit Look(const PreflightPlan& plan) : plan_(plan) {
    if (!plan.whole) return;
    until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(plan.whole->value()));
  }

  Preflight run() {
    Announcement usable;
    Json runtime;
    std::vector<std::pair<Risk, std::future<Told>>> asked;  // goes first, and waits for its threads
    const auto ask = [&](Risk risk, auto&& question) {
      asked.emplace_back(risk, std::async(std::launch::async, question));
    };
    for (const Risk risk : plan_.risks) {
      if (risk != Risk::surroundings && risk != Risk::management) continue;
      ask(risk, [this, risk] { return ask_child(risk, {.devices = plan_.devices}); });
    }
    std::future<Json> news = usable.news();
    ask(Risk::runtime, [this, &usable] { return ask_runtime(usable); });
    runtime = news.get();  // while the rest of the runtime is still looked at
    for (const Risk risk : plan_.risks) {
      if (risk == Risk::surroundings || risk == Risk::management || risk == Risk::copies) continue;
      ask(risk, [this, risk, &runtime] { return ask_after_runtime(risk, runtime); });
    }
    for (auto& [risk, future] : asked) keep(risk, future.get());
    if (std::count(plan_.risks.begin(), plan_.risks.end(), Risk::copies) > 0) time_copies(runtime);
    return answer();
  }

 private:
  Told ask_child(Risk risk, const Seat& seat,
                 const std::function<void(const Json& facts)>& learned = {}) const {
    ChildQuestion question{.program = plan_.program,
                           .command = "examination",
                           .document = {{"devices", to_json(seat.devices)}, {"rank", seat.rank}},
                           .environment = seat.environment,
                           .descriptors = {},
                           .silence = plan_.silence,
                           .until = until_};
    question.document["risk"] = name_in(risks(), risk);
    question.document["module"] = plan_.module.string();
    // So that the silence of one that waits is noticed here first.
    question.document["patience_s"] = 2 * plan_.silence.value();
    if (seat.region) question.descriptors.push_back({.ours = *seat.region, .its = kRegionFd});
    Listener listener(risk, seat.who);
    try {
      const ChildEnd end = listen(question, [&](const Json& line) {
        const bool over = listener.hear(line);
        if (line.contains("doing")) tell(seat.who + listener.doing());
        if (learned) learned(listener.facts());
        return over;
      });
      return std::move(listener).told(end);
    } catch (const std::exception& error) {
      return std::move(listener).told({.how = ChildEnd::How::broken, .words = error.what()});
    }
  }

  Told ask_runtime(Announcement& usable) const {
    Told told = ask_child(Risk::runtime, {.devices = plan_.devices}, [&](const Json& facts) {
      if (facts.contains("usable_devices")) usable.bring(facts);
    });
    usable.bring(told.facts);
    return told;
  }

  // One child per rank, as in a run.
  Told ask_ranks(Risk risk, const DeviceRequest& devices,
                 const std::vector<std::string>& environment) const {
    if (devices.ranks < 2) return not_asked(risk, "it takes two devices that can be used");
    const SharedRegion region = SharedRegion::create(devices.ranks, 0);
    std::vector<std::future<Told>> asked;
    for (int rank = 0; rank < devices.ranks; ++rank) {
      asked.push_back(std::async(std::launch::async, [&, rank] {
        return ask_child(risk, {.devices = devices,
                                .rank = rank,
                                .environment = environment,
                                .region = region.fd(),
                                .who = fmt::format("rank {} ", rank)});
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

  Told ask_after_runtime(Risk risk, const Json& runtime) const {
    if (!runtime.contains("usable_devices")) {
      return not_asked(risk, "which devices can be used is not known");
    }
    DeviceRequest devices = plan_.devices;
    devices.devices = runtime["usable_devices"].get<std::vector<int>>();
    devices.ranks = static_cast<int>(devices.devices.size());
    if (!is_of_ranks(risk)) return ask_child(risk, {.devices = devices});
    const char* environment = risk == Risk::staged ? "staged_environment" : "rank_environment";
    return ask_ranks(risk, devices, runtime.at(environment).get<std::vector<std::string>>());
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

  void tell(const std::string& doing) const {
    if (!plan_.doing) return;
    const std::lock_guard lock(telling_);
    plan_.doing(doing);
  }

  Preflight answer() {
    found_ = of_devices_asked_for(std::move(found_), answer_.facts);
    std::erase_if(found_, [](const CheckResult& result) { return result.check == "device-count"; });
    found_.push_back(count_devices(answer_.facts, plan_.devices));
    std::vector<Risk> looked_at = plan_.risks;
    looked_at.push_back(Risk::runtime);
    answer_.results = in_order(found_, looked_at);
    return std::move(answer_);
  }

  const PreflightPlan& plan_;
  std::optional<Clock::time_point> until_;
  mutable std::mutex telling_;
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
