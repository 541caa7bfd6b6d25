// The command line: one subcommand a file, errors turned into exit codes in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace splitbench::cli {

// To standard error, as shown_lines(); what cannot be said there is not said.
void say(const std::string& text);
// Likewise as it is: a line that is drawn over, of what may be shown.
void draw(const std::string& line);
// To standard output, as shown_lines(): names and reasons in it are anybody's text.
void print_screen(const std::string& screen);

// Parses, runs the chosen command, prints what went wrong to standard error. Never throws.
int run_program(int argc, char** argv);

// What a command does once its options are parsed; returns an ExitCode.
using Action = std::function<int()>;

// Each adds its subcommand to `program`; parsing it stores its work in `action`.
void add_advise(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);
void add_doctor(CLI::App& program, Action& action);
void add_examination(CLI::App& program, Action& action);
void add_fit(CLI::App& program, Action& action);
void add_inquiry(CLI::App& program, Action& action);
void add_health(CLI::App& program, Action& action);
void add_gate(CLI::App& program, Action& action);
void add_history(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_predict(CLI::App& program, Action& action);
void add_rank(CLI::App& program, Action& action);
void add_store(CLI::App& program, Action& action);
void add_topology(CLI::App& program, Action& action);
// `command` is the command line as it was given, for the record; it outlives the action.
void add_run(CLI::App& program, const std::vector<std::string>& command, Action& action);

}  // namespace splitbench::cli
