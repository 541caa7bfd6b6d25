#include "harness/cli/say.h"

#include <fmt/format.h>

#include <cstdio>

#include "harness/cli/screen_text.h"

namespace splitbench::cli {

void say(const std::string& text) {
  draw(shown_lines(text));
}

void draw(const std::string& line) {
  std::fputs(line.c_str(), stderr);
  std::fflush(stderr);
}

void print_screen(const std::string& screen) {
  fmt::print("{}", shown_lines(screen));
}

}  // namespace splitbench::cli
