#include "harness/supervisor/inquiry.h"

#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/program.h"

namespace splitbench::cli {

void add_inquiry(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "inquiry", "Loads a module and asks its backend; started by 'run' and 'list backends'");
  app.group("");  // not listed: nobody starts it by hand
  auto parent = std::make_shared<int>(0);
  app.add_option("--parent", *parent);
  app.callback([parent, &action] { action = [parent] { return run_inquiry_process(*parent); }; });
}

}  // namespace splitbench::cli
