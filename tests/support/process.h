// Runs the built program as its users do, and catches what it says.
#pragma once

#include <string>
#include <vector>

namespace splitbench::test {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;
};

// The program with these arguments, nothing on its standard input.
ProcessResult run_splitbench(const std::vector<std::string>& arguments);

}  // namespace splitbench::test
