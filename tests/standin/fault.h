// Faults that a scenario asks for: a name, or {"fault": name, "rank"?, "after"?, ...numbers}. A
// rank is the ordinal of its device. `after` occasions go well before the fault strikes; then it
// lasts. Occasions are counted in each process, for each fault and device.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace splitbench::standin {

struct Fault {
  std::string name;
  std::optional<int> rank;
  int after = 0;
  std::map<std::string, double> numbers;  // further keys: "factor", "code", ...

  double number(const std::string& key, double otherwise) const;
};

// Whether the name is one that some stand-in acts on.
bool is_known_fault(std::string_view name);
// The further keys of a known one.
std::vector<std::string_view> numbers_of_fault(std::string_view name);

// The fault of this name for this device (-1: whichever), without counting an occasion; null when
// the scenario has none.
const Fault* find_fault(std::string_view name, int device);

// Counts an occasion for it: the fault if it strikes now, else null.
const Fault* strike(std::string_view name, int device);

}  // namespace splitbench::standin
