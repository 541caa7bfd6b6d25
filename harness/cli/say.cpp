#include "harness/cli/say.h"

#include <cstdio>

namespace splitbench::cli {

void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace splitbench::cli
