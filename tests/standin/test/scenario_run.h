// Tests under a scenario of their own: each part runs in a process of its own, since a scenario is
// read once in a process.
#pragma once

#include <functional>
#include <string>

namespace splitbench::standin {

// Runs body(rank) for ranks 0 to N - 1, each in a fresh process, all sharing one run of the
// scenario (JSON). A rank whose expectations fail prints them and fails the calling test.
void run_ranks(const std::string& scenario, int ranks, const std::function<void(int)>& body);

// The same with one process.
void run_alone(const std::string& scenario, const std::function<void()>& body);

}  // namespace splitbench::standin
