// A program started in a process of its own, in a process group of its own: an interrupt from the
// terminal reaches the supervisor, which decides.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "results/file_descriptor.h"

namespace splitbench {

struct ChildPlan {
  struct Descriptor {
    int ours;
    int its;
  };
  std::string program;
  std::vector<std::string> arguments;    // the first is its own name
  std::vector<std::string> environment;  // "NAME=value", before that of this process
  std::vector<Descriptor> descriptors;   // what it is given beside standard error
};

// Killed, and its exit status collected, when this object goes.
class ChildProcess {
 public:
  // Its standard input is /dev/null and its standard output is standard error, where the plan says
  // nothing else. Throws HarnessError where it cannot be started.
  explicit ChildProcess(const ChildPlan& plan);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess() { end(); }

  pid_t pid() const { return pid_; }  // -1 once it has ended
  bool has_ended();                   // does not wait
  // Kills it. What does not even end then, as in a driver's call, is left to the system after 2 s.
  void end();

  // "was ended by signal 9 (Killed)", "ended with status 7"; empty after a clean end.
  std::string how_it_ended() const;

 private:
  pid_t pid_ = -1;
  int status_ = 0;
};

// For the child: it ends when `parent` does. False where that is gone already.
bool end_with(pid_t parent);

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

// Throws HarnessError.
Pipe make_pipe();

}  // namespace splitbench
