// A backend under the conformance suite, and a session of it.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "harness/backend.h"

namespace splitbench::conformance {

struct Subject {
  std::string module;  // libsplitbench_MODULE.so of this build
  DataType dtype = DataType::fp32;
  Launch impossible = Launch::graph;  // a launch mode that it does not have
  bool shares_devices = false;        // ranks may share one, so a machine with one core can run it
  std::vector<int> devices = {};      // of the ranks; none: the backend chooses
  bool one_process = false;           // for all ranks
  bool moves_data = true;             // random ones can be compared with a reference
};
std::ostream& operator<<(std::ostream& out, const Subject& subject);

// Small, with more layers than ranks.
Protocol small_protocol(const Subject& subject);

Survey survey(const Subject& subject, const Protocol& protocol);

// What each process of a session says after `deed`, by rank. Every rank is a process of its own
// that loads the module, as in a run, or one process is all of them. A rank that throws fails the
// test with its message.
using Deed = std::function<nlohmann::ordered_json(Node&)>;
std::vector<nlohmann::ordered_json> on_ranks(const Subject& subject, const Deed& deed);

// How a session prepares the protocol's only point.
RigSpec spec_of(const Subject& subject);

}  // namespace splitbench::conformance
