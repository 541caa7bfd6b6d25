// Looking at a node before anything is timed on it: named checks, each of one class of what can go
// wrong with looking. A class is examined by a process of its own (harness/preflight/preflight.h),
// as any call of a vendor's library can hang, and the system's own files are there without any.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/named.h"
#include "results/check_result.h"

namespace splitbench {

enum class Risk {
  surroundings,  // files of the system and the environment: no library
  management,    // the driver's management library
  runtime,       // the runtime and the library of products, on each device
  peers,         // bytes from device to device
  collective,    // a first all-reduce, in one process per rank
  staged,        // the same where devices may not reach each other's memory
  copies,        // how fast copies are; no checks: what `topology` measures
};
std::span<const Named<Risk>> risks();

// A check by its name. Its wanted outcome is the same everywhere.
struct Check {
  std::string_view name;
  Risk risk;
  std::string_view wanted;
  bool essential;  // without an answer nobody can vouch for the node
};
std::span<const Check> known_checks();            // in the order in which they are shown
const Check& known_check(std::string_view name);  // throws std::out_of_range

// Who is told what an examination finds. Whatever was told is kept, also where the examination
// never ends.
class Examiner {
 public:
  virtual ~Examiner() = default;
  // For `check` is now asked, in these words, of which library: named where that never returns.
  virtual void looks(std::string_view check, const std::string& doing) = 0;
  virtual void found(CheckResult result) = 0;
  // A fact that is no check, for whoever puts the picture of the node together.
  virtual void learned(std::string_view key, nlohmann::ordered_json fact) = 0;
};

// Answers to a check, with what it wanted.
CheckResult passed(std::string_view check, std::string seen);
CheckResult warned(std::string_view check, std::string seen, std::string mend);
CheckResult failed(std::string_view check, std::string seen, std::string mend);
CheckResult faulty(std::string_view check, std::string seen, std::string mend);
CheckResult not_known(std::string_view check, std::string why, std::string mend = {});

// Of a device that does not even say its address.
inline constexpr const char* kNoAddress = "unknown";

// The same, of the device with this PCI address.
CheckResult about(std::string device, CheckResult result);

}  // namespace splitbench
