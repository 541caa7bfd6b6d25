// A whole run: sessions one after another, every finished round in the store before the next
// begins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/process/interruption.h"
#include "harness/supervisor/choice.h"
#include "results/store.h"

namespace splitbench {

struct RunRequest {
  Choice choice;  // of the backend, for this protocol and these devices
  Protocol protocol;
  DeviceRequest devices;
  Seconds patience{60};                       // the longest silence of a rank
  std::optional<double> price_per_hour = {};  // of one device
  std::vector<std::string> command;
  std::vector<CheckResult> preflight;  // what was looked at before, for the record
  std::string confirms = {};           // the id of a run that this one is to confirm, if any
};

// What a run begins with: a new id, and what it was asked for.
RunRecord make_record(const RunRequest& request);

// Told of a run's progress; does nothing by itself.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void begun(const RunRecord&) {}
  // Before the first round of a session, several times a second: "verifying results".
  virtual void preparing(const std::string& /*doing*/) {}
  virtual void noted(const std::string& /*note*/) {}  // what a user should know at once
  virtual void calibrated(const RunRecord&, Seconds /*estimated_total*/) {}
  virtual void session_begins(int /*session*/, int /*sessions*/) {}
  virtual void round_stored(int /*session*/, int /*round*/) {}
};

struct RunEnd {
  std::string id;
  RunOutcome outcome = RunOutcome::partial;
  std::string fault;  // what ended it early; empty if nothing did
  int signal = 0;     // SIGINT or SIGTERM, if that did
};

// What is forecast from all sessions of the run that are stored: saved now, unless it was before,
// and read back. To be called before anything is compared. Throws StoreError.
nlohmann::ordered_json stored_forecast(Store& store, const StoredRun& stored);

// Before anything is opened or written. Throws CannotRunHere where this process may not open as
// many files as it needs itself and for that many rank processes.
void require_file_descriptors(int processes);

// Throws StoreError before anything ran. Later faults are in the answer, and what was stored stays.
RunEnd carry_out(const RunRequest& request, Store& store, const Interruption& interruption,
                 RunListener& listener);

}  // namespace splitbench
