#include "harness/cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "harness/cli/exit_code.h"
#include "harness/cli/screen_text.h"
#include "harness/cli/utf8_text.h"
#include "harness/error.h"
#include "harness/version.h"
#include "model/invalid_input.h"
#include "protocols/document.h"
#include "results/new_file.h"
#include "results/store_error.h"

namespace splitbench::cli {
namespace {

constexpr const char* kPurpose =
    "splitbench measures whether splitting one operation over several GPUs makes it faster,\n"
    "predicts that from parameters measured apart, and says how far the prediction was off and "
    "why.\n";

std::string version_text() {
  return commit().empty() ? fmt::format("splitbench {}", version())
                          : fmt::format("splitbench {} ({})", version(), commit());
}

void complain(const std::string& message) {
  say("splitbench: " + message + "\n");
}

// The model names its fields as the command line names its options, but for the dashes.
std::string option_name(std::string field) {
  std::replace(field.begin(), field.end(), '_', '-');
  return "--" + field;
}

int answer_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
    return program.exit(error);  // --help, --version
  }
  const auto chosen = program.get_subcommands();
  const std::string command =
      chosen.empty() ? "splitbench" : "splitbench " + chosen.front()->get_name();
  complain(fmt::format("{}\nTry '{} --help'.", error.what(), command));
  return kBadInput;
}

// A full disk shows when the output is flushed, not when it is printed.
int flush_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == EPIPE) return kBrokenPipe;  // as in `splitbench topology | head -1`
  complain(fmt::format("standard output could not be written: {}", std::strerror(errno)));
  return kFault;
}

}  // namespace

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

int run_program(int argc, char** argv) {
  // A file that may not grow is an error of the write, and is answered there.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    CLI::App program(kPurpose, "splitbench");
    program.set_version_flag("--version", version_text(), "Print version and commit");
    program.get_formatter()->column_width(34);
    std::vector<std::string> command(argv, argv + argc);
    std::transform(command.begin(), command.end(), command.begin(), as_utf8);
    Action action;
    add_run(program, command, action);
    add_predict(program, action);
    add_fit(program, action);
    add_advise(program, action);
    add_topology(program, action);
    add_doctor(program, action);
    add_compare(program, action);
    add_gate(program, action);
    add_history(program, action);
    add_list(program, action);
    add_store(program, action);
    add_rank(program, action);
    add_inquiry(program, action);
    add_examination(program, action);
    add_health(program, action);
    try {
      program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return flush_output(answer_parse_error(program, error));
    }
    if (!action) {
      complain("no command was given; 'splitbench --help' lists them");
      return kBadInput;
    }
    return flush_output(action());
  } catch (const InvalidInput& error) {
    complain(error.field().empty()
                 ? error.what()
                 : fmt::format("{}: {}", option_name(error.field()), error.what()));
    return kBadInput;
  } catch (const BadDocument& error) {
    complain(error.what());
    return kBadInput;
  } catch (const NewFileError& error) {
    complain(error.what());
    return kBadInput;
  } catch (const CannotRunHere& error) {
    complain(error.what());
    return kCannotRunHere;
  } catch (const StoreError& error) {
    complain(error.what());
    return kBadInput;
  } catch (const std::exception& error) {
    complain(error.what());
    return kFault;
  }
}

}  // namespace splitbench::cli
