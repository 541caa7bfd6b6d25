#include "harness/process/executable.h"

#include <system_error>

namespace splitbench {

std::filesystem::path executable_directory() {
  std::error_code ignored;
  return std::filesystem::read_symlink(kThisProgram, ignored).parent_path();
}

}  // namespace splitbench
