// A process of this program that is asked one thing and may hang, crash or talk nonsense: what it
// is asked stands on its standard input, what it says on its standard output, a JSON value a line.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/process/child_process.h"
#include "model/quantity.h"

namespace splitbench {

struct ChildQuestion {
  std::string program;
  std::string command;  // the subcommand that answers
  nlohmann::ordered_json document;
  std::vector<std::string> environment;            // "NAME=value", before that of this process
  std::vector<ChildPlan::Descriptor> descriptors;  // beside standard input and output
  Seconds silence;                                 // the longest between two lines
  std::optional<std::chrono::steady_clock::time_point> until = {};  // when it is over in any case
};

// What became of a child that was asked.
struct ChildEnd {
  enum class How {
    answered,
    silent,  // for longer than it may, or for a third of that when it was over in any case
    late,    // it still talked when it was over in any case
    broken,  // crashed, left in the middle, or sent what is no answer
  };
  How how = How::answered;
  std::string words = {};  // empty where it answered; "was ended by signal 11 (...)"
};

// Starts the child and passes on each line, until `hear` says that it was the last. What
// `hear` throws ends the child, too: "sent nonsense (...)". The child is gone on return, but for
// one that not even SIGKILL ends. Throws HarnessError where none can be started.
ChildEnd listen(const ChildQuestion& question,
                const std::function<bool(const nlohmann::ordered_json&)>& hear);

// For the child: what it was asked, and its way to answer.
class Questioner {
 public:
  // From here on what libraries print goes to standard error. Throws HarnessError where `parent`
  // (not 0) is gone; nlohmann::json::exception.
  explicit Questioner(pid_t parent);

  const nlohmann::ordered_json& question() const { return question_; }
  void say(const nlohmann::ordered_json& line) const;

 private:
  FileDescriptor answers_;
  nlohmann::ordered_json question_;
};

}  // namespace splitbench
