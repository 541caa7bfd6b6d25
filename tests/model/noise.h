// Normal noise for tests, the same on every platform.
#pragma once

#include <cmath>

#include "model/random.h"

namespace splitbench {

// Box and Muller, 1958. Mean 0, standard deviation 1.
inline double normal(Random& random) {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - random.uniform()));
  return radius * std::cos(6.283185307179586 * random.uniform());
}

}  // namespace splitbench
