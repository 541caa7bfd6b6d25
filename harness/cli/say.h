// What is told to people, and how: names and reasons in it are anybody's text.
#pragma once

#include <string>

namespace splitbench::cli {

// To standard error, as shown_lines(); what cannot be said there is not said.
void say(const std::string& text);
// Likewise as it is: a line that is drawn over, of what may be shown.
void draw(const std::string& line);
// To standard output, as shown_lines().
void print_screen(const std::string& screen);

}  // namespace splitbench::cli
