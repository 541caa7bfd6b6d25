// The seam between the harness and hardware: what every backend offers, and no vendor's type.
//
// A Backend comes out of a module (harness/module.h). The supervisor never loads one: it asks a
// process of its own (harness/supervisor/inquiry.h) for the Survey, so that no driver can hang it.
// A Node is opened in every rank process (in one process for all ranks where the backend says so);
// a Rig is one operation prepared on it. Node and Rig calls are collective: every rank makes the
// same calls in the same order, and the answer is whole on rank 0.
//
// A backend is timed with its own best clock inside run(): no virtual call in the timed region.
// Broken environments throw HarnessError; what a backend cannot do it says in its Survey.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/error.h"
#include "harness/preflight/examination.h"
#include "model/measurements.h"
#include "protocols/plan.h"
#include "protocols/protocol.h"
#include "results/node.h"
#include "results/run_record.h"

namespace splitbench {

class SharedRegion;

// A file that a user named, read once: every process has the same text.
struct GivenFile {
  std::string name;  // empty: none was given
  std::string text;
};

// Which devices, and how a user asked for them.
struct DeviceRequest {
  int ranks = 2;
  std::vector<int> devices;    // indices as the backend lists them; empty: the backend chooses
  bool oversubscribe = false;  // several ranks may share a device; the result is labelled
  GivenFile scenario = {};     // of simulated devices
};

// What a backend is asked: can this be measured here? A protocol without points asks about the
// devices alone.
struct SurveyRequest {
  DeviceRequest devices;
  Protocol protocol;
};

// What the rank processes of one session are started with.
struct SessionNeeds {
  int processes = 0;                     // one per rank, or 1 for all
  std::size_t shared_bytes = 0;          // data bytes in the session's shared memory
  std::vector<std::string> environment;  // "NAME=value"
  std::vector<std::string>
      watched;  // one device per rank, for a HealthWatch; empty: none is needed
};

// The answer, whole. What follows `unsupported` counts only where the three before it are empty.
struct Survey {
  std::string missing;      // why this environment cannot do it
  std::string mend;         // what a user could do about that, in one line
  std::string unsupported;  // what of the protocol this backend does not do anywhere
  NodeDescription node;
  Launch best_launch = Launch::direct;  // what `automatic` becomes
  SessionNeeds needs;
};

// Told what is about to be asked of which library, so that one that hangs can be named.
using Doing = std::function<void(const std::string&)>;

// One operation, prepared in one way.
struct RigSpec {
  Operation operation;
  std::uint64_t seed = 1;
  Launch launch = Launch::direct;
  Cache cache = Cache::hot;
  Bytes largest_message{};                   // of any step
  nlohmann::ordered_json pinned = nullptr;   // choices() of an earlier session, to be made again
  std::optional<Correctness> verified = {};  // by an earlier session: equal bits are as right
};

class Rig {
 public:
  virtual ~Rig() = default;

  // The checks of docs/rules.md "Correctness", at the shape that is timed. A backend that
  // takes a checksum of all results may answer with what was said of the same bits before.
  virtual Correctness verify() = 0;

  // `repeats` samples of one step (>= 1). Where the caches are to be hot, one repeat more runs
  // first and is not timed.
  virtual Block run(const Step& step, int repeats) = 0;

  // False where the whole operation has no room on one device: its arms are then not run.
  virtual bool fits_one_device() const { return true; }

  // What this backend chose for the operation where it had a choice (algorithms, time source), in
  // keys of its own: recorded, and pinned in later sessions.
  virtual nlohmann::ordered_json choices() const { return nlohmann::ordered_json::object(); }
};

class Node {
 public:
  virtual ~Node() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;

  // Every rank gets what rank 0 passed.
  virtual std::string broadcast(const std::string& from_rank_0) = 0;

  virtual std::unique_ptr<Rig> prepare(const RigSpec& spec) = 0;

  // Memory and health of every rank, into `record` on rank 0.
  virtual void report(SessionRecord& record) = 0;

  // Whether the clock on the wall says nothing of the times that are measured.
  virtual bool time_is_virtual() const { return false; }

  // After a fault that was reported: lets go of ranks that wait for this one. May hang, as the
  // process is about to be ended.
  virtual void abandon() noexcept {}

  // At the end of every round: the health of the devices as far as the ranks see it themselves,
  // into `record` on rank 0.
  virtual void report_round(RoundRecord& record) { static_cast<void>(record); }
};

// Looks at the devices of a session through the driver's management library: in a process of its
// own that does nothing else, between rounds, as such a call can hang.
class HealthWatch {
 public:
  virtual ~HealthWatch() = default;

  // One per rank. `ours`: the processes of the session's ranks.
  virtual std::vector<DeviceHealth> look(const std::vector<pid_t>& ours) = 0;
};

// What a rank process is given.
struct RankSeat {
  int rank = 0;
  DeviceRequest request;
  SharedRegion* shared = nullptr;  // shared by the ranks of this machine and the supervisor
  Seconds patience{60};            // the longest silence of another rank
  std::uint64_t seed = 1;          // of the run
  int session = 0;                 // of the run, from 0
};

class Backend {
 public:
  virtual ~Backend() = default;

  // May be asked where there is no device, no driver and no working library.
  virtual Survey survey(const SurveyRequest& request, const Doing& doing) const = 0;

  virtual std::unique_ptr<Node> open(const RankSeat& seat) const = 0;

  // The checks of one class of risk on the devices of `seat`, told to the examiner as they go. Of a
  // backend that has none, all are unknown. Throws HarnessError.
  virtual void examine(Risk risk, const RankSeat& seat, Examiner& examiner) const {
    static_cast<void>(risk);
    static_cast<void>(seat);
    static_cast<void>(examiner);
  }

  // Over SessionNeeds::watched; null where a backend asks for none.
  virtual std::unique_ptr<HealthWatch> watch_health(const std::vector<std::string>& devices) const {
    static_cast<void>(devices);
    return nullptr;
  }
};

}  // namespace splitbench
