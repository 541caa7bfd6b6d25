#include "harness/proof/watch.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "model/gate.h"
#include "model/statistics.h"

namespace splitbench::proof {
namespace {

double speedup(const Night& night) {
  return night.t1 / night.tn;
}

// Nights since the last accept, which itself is one of them.
class Remembering : public Watch {
 public:
  bool alarms(const Night& night) final {
    nights_.push_back(night);
    return judge(nights_);
  }
  void accept(const Night& night) final { nights_ = {night}; }
  void forget() final { nights_.clear(); }

 private:
  virtual bool judge(const std::vector<Night>& nights) const = 0;

  std::vector<Night> nights_;
};

class GateWatch final : public Remembering {
 public:
  explicit GateWatch(bool with_time) : with_time_(with_time) {}

 private:
  static constexpr int kSessions = 6;

  bool judge(const std::vector<Night>& nights) const override {
    std::vector<GatedRun> ratios;
    std::vector<GatedRun> times;
    for (const Night& night : nights) {
      ratios.push_back({speedup(night), night.spread, kSessions});
      times.push_back({night.tn, night.spread, kSessions});
    }
    const auto regressed = [](const std::vector<GatedRun>& runs, Better better,
                              const GateRule& rule) {
      return judge_newest(runs, better, rule, 0.0).outcome == GateOutcome::regression;
    };
    return regressed(ratios, Better::higher, {}) ||
           (with_time_ && regressed(times, Better::lower, time_rule()));
  }

  bool with_time_;
};

std::vector<double> speedups(std::span<const Night> nights) {
  std::vector<double> values;
  for (const Night& night : nights) values.push_back(speedup(night));
  return values;
}

class MedianWatch final : public Remembering {
  bool judge(const std::vector<Night>& nights) const override {
    constexpr std::size_t kNew = 3;
    constexpr std::size_t kOld = 14;
    if (nights.size() < kNew + kOld) return false;
    const std::span<const Night> all(nights);
    return median(speedups(all.last(kNew))) <=
           0.95 * median(speedups(all.last(kNew + kOld).first(kOld)));
  }
};

class CusumWatch final : public Remembering {
  bool judge(const std::vector<Night>& nights) const override {
    constexpr std::size_t kLearned = 14;
    constexpr double kSlack = 0.5;
    constexpr double kLimit = 5.0;
    if (nights.size() <= kLearned) return false;
    const Estimate learned =
        *log_mean(speedups(std::span(nights).first(kLearned)), 0.95, "speedup");
    double sum = 0.0;
    for (const Night& night : std::span(nights).subspan(kLearned)) {
      sum = std::max(0.0,
                     sum + std::log(learned.value / speedup(night)) / learned.session_sd - kSlack);
    }
    const double again =
        std::log(learned.value / nights.back().confirming_speedup) / learned.session_sd;
    return sum > kLimit && again > 1.0;
  }
};

class SingleRunWatch final : public Remembering {
  bool judge(const std::vector<Night>& nights) const override {
    return speedup(nights.back()) <= (1.0 - GateRule{}.threshold) * speedup(nights.front());
  }
};

template <class W, auto... arguments>
std::unique_ptr<Watch> make() {
  return std::make_unique<W>(arguments...);
}

}  // namespace

const std::vector<NamedWatch>& watches() {
  static const std::vector<NamedWatch> all{
      {"gate: speedup and T_N", make<GateWatch, true>},
      {"gate: speedup alone", make<GateWatch, false>},
      {"medians at 5 %", make<MedianWatch>},
      {"CUSUM with confirming run", make<CusumWatch>},
      {"one run as baseline", make<SingleRunWatch>},
  };
  return all;
}

}  // namespace splitbench::proof
