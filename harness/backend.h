// The seam between the harness and hardware: what every backend offers, and no vendor's type.
//
// A Backend is asked in the supervisor and opens no device library there. A Node is opened in every
// rank process (in one process for all ranks where the backend says so); a Rig is one operation
// prepared on it. Node and Rig calls are collective: every rank makes the same calls in the same
// order, and the answer is whole on rank 0.
//
// A backend is timed with its own best clock inside run(): no virtual call in the timed region.
// Broken environments throw HarnessError; what a backend cannot do it says in unsupported().
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/error.h"
#include "model/measurements.h"
#include "protocols/plan.h"
#include "protocols/protocol.h"
#include "results/node.h"
#include "results/run_record.h"

namespace splitbench {

class SharedRegion;

// Which devices, and how a user asked for them.
struct DeviceRequest {
  int ranks = 2;
  std::vector<int> devices;    // indices as the backend lists them; empty: the backend chooses
  bool oversubscribe = false;  // several ranks may share a device; the result is labelled
};

// Whether a request can be met here. `mend` is what a user could do about it, in one line.
struct Probe {
  bool available = false;
  std::string reason;
  std::string mend;
};

// One operation, prepared in one way.
struct RigSpec {
  Operation operation;
  std::uint64_t seed = 1;
  Launch launch = Launch::direct;
  Cache cache = Cache::hot;
};

class Rig {
 public:
  virtual ~Rig() = default;

  // The checks of docs/methodology.md "Correctness", at the shape that is timed.
  virtual Correctness verify() = 0;

  // `repeats` samples of one step (>= 1). Where the caches are to be hot, one repeat more runs
  // first and is not timed.
  virtual Block run(const Step& step, int repeats) = 0;
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
};

// What a rank process is given.
struct RankSeat {
  int rank = 0;
  DeviceRequest request;
  SharedRegion* shared = nullptr;  // shared by the ranks of this machine and the supervisor
  Seconds patience{60};            // how long to wait for another rank
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual std::string_view description() const = 0;  // one line, for `splitbench list backends`

  virtual Probe probe(const DeviceRequest& request) const = 0;
  virtual NodeDescription describe(const DeviceRequest& request) const = 0;

  // Why a protocol cannot be carried out here; empty where it can.
  virtual std::string unsupported(const Protocol& protocol) const = 0;
  virtual Launch best_launch() const = 0;

  // Rank processes of one session, and the bytes of shared memory that they need for data.
  virtual int processes(const DeviceRequest& request) const = 0;
  virtual std::size_t shared_bytes(const Protocol& protocol) const = 0;

  // Environment that a rank process must be started with ("NAME=value").
  virtual std::vector<std::string> environment() const = 0;

  virtual std::unique_ptr<Node> open(const RankSeat& seat) const = 0;
};

}  // namespace splitbench
