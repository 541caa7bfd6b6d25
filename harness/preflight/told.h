// What one child of an examination told, and what is to be made of it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/preflight/examination.h"
#include "harness/process/asked_child.h"

namespace splitbench {

struct Told {
  std::vector<CheckResult> results;
  nlohmann::ordered_json facts = nlohmann::ordered_json::object();
};

// Who listens to one child.
class Listener {
 public:
  // `who`: how the child is called in what is said of it, "rank 0 ".
  Listener(Risk risk, std::string who) : risk_(risk), who_(std::move(who)) {}

  // Whether it was the last line. Throws nlohmann::json::exception, InvalidInput for nonsense.
  bool hear(const nlohmann::ordered_json& line);

  const std::string& doing() const { return doing_; }                  // what the child is at
  const nlohmann::ordered_json& facts() const { return told_.facts; }  // so far

  // All of it, with an outcome for every check of this class: where the child did not come to its
  // end, the check it was at fails, or is unknown where only time was lacking.
  Told told(const ChildEnd& end) &&;

 private:
  bool has(std::string_view check) const;
  std::string why_no_further() const;

  Risk risk_;
  std::string who_;
  std::string doing_ = "starting";
  std::string at_;      // the check that the child is at
  std::string reason_;  // why it came no further
  Told told_;
};

// Of a child that was never asked.
Told not_asked(Risk risk, const std::string& why);

}  // namespace splitbench
