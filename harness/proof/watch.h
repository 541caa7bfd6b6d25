// Ways to watch a series of nights for a regression: the gate, and what is often done instead.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/proof/year.h"

namespace splitbench::proof {

class Watch {
 public:
  virtual ~Watch() = default;
  // Whether there is an alarm in this night. Nights come in order.
  virtual bool alarms(const Night& night) = 0;
  // Somebody accepted the night that was last: what was before it is forgotten.
  virtual void accept(const Night& night) = 0;
  // The next night is the first on another machine.
  virtual void forget() = 0;
};

struct NamedWatch {
  std::string name;
  std::unique_ptr<Watch> (*make)();
};

// The default gate over speedup and T_N; the same over the speedup alone; medians of three nights
// 5 % below that of the 14 before; CUSUM (k = 1/2, h = 5 standard deviations) with a confirming
// run; one run as baseline.
const std::vector<NamedWatch>& watches();

}  // namespace splitbench::proof
