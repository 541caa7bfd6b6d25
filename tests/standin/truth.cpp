#include "tests/standin/truth.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

struct Work {
  std::int64_t count = 0;
  Time total{0};
  Time least = Time::max();
  Time most{0};
};

std::mutex& mutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

std::map<std::string, Work>& works() {
  static auto& works = *new std::map<std::string, Work>;
  return works;
}

}  // namespace

void record_work(const std::string& name, Time spent) {
  const std::lock_guard lock(mutex());
  Work& work = works()[name];
  ++work.count;
  work.total += spent;
  work.least = std::min(work.least, spent);
  work.most = std::max(work.most, spent);
}

std::string truth_json() {
  nlohmann::json all = nlohmann::json::object();
  {
    const std::lock_guard lock(mutex());
    for (const auto& [name, work] : works()) {
      all[name] = {{"count", work.count},
                   {"mean_s", to_seconds(work.total) / static_cast<double>(work.count)},
                   {"least_s", to_seconds(work.least)},
                   {"most_s", to_seconds(work.most)}};
    }
  }
  const Scenario& given = scenario();
  return nlohmann::json{{"clock", virtual_time() ? "virtual" : "real"},
                        {"launch_s", given.launch_s},
                        {"latency_s", given.launch_s + given.latency_s},
                        {"bandwidth_bytes_per_s", given.bandwidth_bytes_per_s},
                        {"work", all}}
      .dump();
}

}  // namespace splitbench::standin
