// Signs of life while devices are looked at: on standard error, one line that is written over on a
// terminal, elsewhere a line at first and then no more than one in a while; nothing where it is to
// be quiet.
#pragma once

#include <chrono>
#include <string>

#include "harness/preflight/preflight.h"
#include "model/quantity.h"

namespace splitbench::cli {

class Looking {
 public:
  explicit Looking(bool quiet, Seconds between = Seconds(5));
  // Removes the line that is written over.
  ~Looking();
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;

  // What is asked of which library now.
  void at(const std::string& doing);

 private:
  bool quiet_;
  bool terminal_;
  std::chrono::duration<double> between_;
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_;
};

// What is found of the GPUs here, with signs of life meanwhile.
Preflight look_at_gpus(PreflightPlan plan, bool quiet);

}  // namespace splitbench::cli
