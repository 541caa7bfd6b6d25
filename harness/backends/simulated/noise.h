// Chance in a session: what its samples are multiplied by. All of it follows from the seed, the
// number of the session and the number of the sample; samples that are not taken change nothing.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "harness/backends/simulated/scenario.h"
#include "model/random.h"
#include "protocols/plan.h"

namespace splitbench::simulated {

// A stream of numbers with the key's own name: the same parts give the same stream.
class Draws {
 public:
  explicit Draws(std::initializer_list<std::uint64_t> key);

  double uniform() { return random_.uniform(); }  // [0, 1)
  double normal();                                // mean 0, standard deviation 1: Box-Muller

 private:
  Random random_;
  std::optional<double> spare_;
};

// Mean 0 and standard deviation 1.
double standardised(Distribution distribution, Draws& draws);

class SessionNoise {
 public:
  SessionNoise(const Noise& noise, int ranks, std::uint64_t seed, int session);

  // Before the samples of a step.
  void begin_step(const Step& step);
  // Before each of its samples; `now` in seconds since the session began.
  void begin_sample(double now);

  // What one piece of work of a rank is multiplied by; a collective's is that of all ranks. Draws,
  // so every piece asks once.
  double factor(Work work, int rank);
  double collective_factor();
  // By how much one rank starts late, in seconds. Draws.
  double start_delay();

 private:
  enum class Of : std::uint64_t { machine, work, arm, rank, state, sample };

  double effect(double sd, Of of, std::uint64_t which, std::uint64_t size = 0) const;
  double of_piece();

  Noise noise_;
  std::uint64_t seed_;
  std::uint64_t session_;
  std::uint64_t sample_ = 0;
  double layer_sd_;  // of the logarithm
  double machine_;
  std::array<double, kWorks> work_;
  std::vector<double> rank_factor_;  // none: 1
  double arm_ = 0;
  double state_;                        // of the machine, standardised
  std::array<double, kWorks> typical_;  // factor of each kind of work in this sample
  Draws draws_;
};

}  // namespace splitbench::simulated
