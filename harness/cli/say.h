#pragma once

#include <string>

namespace splitbench::cli {

// To standard error; what cannot be said there is not said.
void say(const std::string& text);

}  // namespace splitbench::cli
