#include "harness/proof/family.h"

#include <utility>

namespace splitbench::proof {
namespace {

using simulated::Distribution;
using simulated::Noise;

Noise noise(Distribution distribution) {
  return {.session = {.distribution = distribution, .machine = 0.02, .work = 0.02, .arm = 0.005},
          .state = {.sd = 0.01, .autocorrelation = 0.0}};
}

Family family(std::string name, std::string about, const Noise& noise, bool must_cover) {
  Family family{std::move(name), std::move(about), worked_setup(), must_cover};
  family.setup.scenario.noise = noise;
  return family;
}

}  // namespace

std::vector<Family> families() {
  const Noise normal = noise(Distribution::normal);
  Noise correlated = normal;
  correlated.state = {.sd = 0.02, .autocorrelation = 0.9};
  Noise tails = normal;
  tails.tail = {.probability = 0.005, .factor = 0.5, .shape = 1.5};
  Noise drift = normal;
  drift.drift_per_s = 0.02;
  Noise layers = normal;
  layers.layer_cv = 0.05;
  Noise ranks = normal;
  ranks.session.rank = 0.01;
  std::vector<Family> all{
      family("normal", "normal session effects", normal, true),
      family("t3", "session effects of Student's t, 3 degrees of freedom", noise(Distribution::t3),
             true),
      family("near-parity", "normal, but eta 0.55: N eta = 1.1", normal, true),
      family("ar1", "normal; samples differ by 2 %, correlated by 0.9 with the next", correlated,
             true),
      family("tails",
             "normal; one piece of work in 200 takes 1.5 times as long or longer (Pareto 1.5)",
             tails, true),
      family("layers", "normal; each layer of each rank by itself, CV 5 %", layers, true),
      family("exponential", "skewed session effects", noise(Distribution::exponential), false),
      family("lognormal", "very skewed session effects", noise(Distribution::lognormal), false),
      family("bimodal", "one session in five is slow", noise(Distribution::bimodal), false),
      family("drift", "normal; all times grow by 2 % a second, truth is the first moment's", drift,
             false),
      family("ranks",
             "normal; each rank by 1 % in each session, so that shards wait for the slower", ranks,
             false)};
  all[2].setup.scenario.shard_efficiency = 0.55;
  return all;
}

}  // namespace splitbench::proof
