// The kinds of noise that the proof puts around known times.
#pragma once

#include <string>
#include <vector>

#include "harness/proof/experiment.h"

namespace splitbench::proof {

struct Family {
  std::string name;
  std::string about;
  Setup setup;
  bool must_cover = false;  // session effects are symmetric: intervals must keep what they promise
};

// All of them on worked_setup(), sessions differing by 2 % as a whole, 2 % in each kind of work and
// 0.5 % in each arm, samples by 1 %, unless the family says otherwise.
std::vector<Family> families();

}  // namespace splitbench::proof
