// The command line: one subcommand a file, errors turned into exit codes in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace splitbench::cli {

// Parses, runs the chosen command, prints what went wrong to standard error. Never throws.
int run_program(int argc, char** argv);

// What a command does once its options are parsed; returns an ExitCode.
using Action = std::function<int()>;

// Each adds its subcommand to `program`; parsing it stores its work in `action`.
void add_predict(CLI::App& program, Action& action);

}  // namespace splitbench::cli
