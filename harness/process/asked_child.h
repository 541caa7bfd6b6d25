// A process of this program that is asked one thing and may hang, crash or talk nonsense: what it
// is asked stands on its standard input, what it says on its standard output, a JSON value a line.
#pragma once

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
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
};

// Starts the child and passes on each line, until `hear` says that it was the last. Empty then;
// else what became of the child: "said nothing for 7 s", "was ended by signal 11 (...)". What
// `hear` throws ends the child, too: "sent nonsense (...)". The child is gone on return, but for
// one that not even SIGKILL ends. Throws HarnessError where none can be started.
std::string listen(const ChildQuestion& question,
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
