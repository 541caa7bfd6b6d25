// A whole run: sessions one after another, every finished round in the store before the next
// begins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/backend.h"
#include "harness/interruption.h"
#include "results/store.h"

namespace splitbench {

// A request that this environment cannot meet: what is missing, and the line that mends it.
class CannotRunHere : public HarnessError {
 public:
  using HarnessError::HarnessError;
};

struct RunRequest {
  const Backend* backend = nullptr;
  Protocol protocol;
  DeviceRequest devices;
  Seconds patience{60};                       // the longest silence of a rank
  std::optional<double> price_per_hour = {};  // of one device
  std::vector<std::string> command;
};

// Told of a run's progress; does nothing by itself.
class RunListener {
 public:
  virtual ~RunListener() = default;
  virtual void begun(const RunRecord&) {}
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
nlohmann::ordered_json stored_forecast(Store& store, const std::string& run);

// Before anything is opened or written: throws CannotRunHere, InvalidInput for what the backend
// does not support.
void require_possible(const RunRequest& request);

// Of a request that is possible. Throws StoreError before anything ran. Later faults are in the
// answer, and what was stored stays.
RunEnd carry_out(const RunRequest& request, Store& store, const Interruption& interruption,
                 RunListener& listener);

}  // namespace splitbench
