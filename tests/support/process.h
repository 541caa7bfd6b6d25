// Runs the built program as its users do, and catches what it says.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace splitbench::test {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// A started program with nothing on its standard input.
class Program {
 public:
  // splitbench with these arguments.
  explicit Program(const std::vector<std::string>& arguments);
  // Any program, found by path.
  Program(const std::string& path, const std::vector<std::string>& arguments);
  // Killed if it was not waited for.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  ProcessResult wait();

  // Processes that it started and that still run, in order of start.
  std::vector<pid_t> children() const;

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, CloseFile>;
  static std::string contents(const File& file);

  File out_;
  File err_;
  pid_t pid_ = -1;
};

// The program with these arguments, until it ends.
ProcessResult run_splitbench(const std::vector<std::string>& arguments);

// Whether a process runs; a zombie does not.
bool is_running(pid_t pid);

}  // namespace splitbench::test
