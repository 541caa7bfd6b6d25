// Progress of a run on standard error: one line that is written over on a terminal, a line a
// session elsewhere, nothing where it is to be quiet.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "harness/supervisor/run.h"

namespace splitbench::cli {

class Progress final : public RunListener {
 public:
  explicit Progress(bool quiet);

  void begun(const RunRecord& run) override;
  void preparing(const std::string& doing) override;
  void noted(const std::string& note) override;
  void calibrated(const RunRecord& run, Seconds estimated_total) override;
  void session_begins(int session, int sessions) override;
  void round_stored(int session, int round) override;

  // Removes the line that is written over, before something else is printed.
  void clear() const;

 private:
  void show() const;
  std::string time_to_go() const;

  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<Seconds> estimated_;
  std::string doing_ = "starting";  // before the first round
  int session_ = 0;
  int sessions_ = 1;
  int rounds_ = 1;
  int rounds_stored_ = 0;
};

}  // namespace splitbench::cli
