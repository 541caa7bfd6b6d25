#include "harness/supervisor/health_process.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/program.h"

namespace splitbench::cli {

void add_health(CLI::App& program, Action& action) {
  struct Options {
    int parent = 0;
    std::string module;
    std::vector<std::string> devices;
  };
  auto options = std::make_shared<Options>();
  CLI::App& app =
      *program.add_subcommand("health", "Looks at devices between rounds; started by 'run'");
  app.group("");  // not listed: nobody starts it by hand
  app.add_option("--parent", options->parent)->required();
  app.add_option("--module", options->module)->required();
  app.add_option("--device", options->devices)->required();
  app.callback([options, &action] {
    action = [options] {
      return run_health_process(options->module, options->devices, options->parent);
    };
  });
}

}  // namespace splitbench::cli
