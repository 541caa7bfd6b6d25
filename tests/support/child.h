// A forked process that runs a function of the test, for what a process can suffer: being killed,
// losing its rights, living with a limit.
#pragma once

#include <sys/types.h>

#include <functional>

namespace splitbench::test {

class Child {
 public:
  // Runs `body` in a new process, which ends with its value as exit code; 99 if it throws.
  explicit Child(const std::function<int()>& body);
  // Kills it if it was not waited for.
  ~Child();
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;

  // Its exit code, or 128 + the signal that ended it.
  int wait();
  void kill() const;  // SIGKILL

 private:
  pid_t pid_;
};

// This process can from now on write no file beyond so many bytes: EFBIG instead of a signal.
void limit_file_size(std::size_t bytes);

// This process gives up root, if it has it, for the user nobody.
void become_unprivileged();

}  // namespace splitbench::test
