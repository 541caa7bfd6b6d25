#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "harness/cli/compare_screen.h"
#include "harness/cli/exit_code.h"
#include "harness/cli/named_result.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "results/compare.h"

namespace splitbench::cli {
namespace {

struct CompareOptions {
  std::string a;
  std::string b;
  ComparisonOptions comparison;
  std::filesystem::path store;
  Format format = Format::table;
};

int compare(const CompareOptions& options) {
  const auto document =
      comparison_document(named_result(options.a, options.store),
                          named_result(options.b, options.store), options.comparison);
  if (options.format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(compare_screen(document));
  }
  return kDone;
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "compare", "Two results: which parameters and speedups differ, with intervals");
  app.footer(
      "Example:\n"
      "  splitbench compare before.json after.json");
  auto options = std::make_shared<CompareOptions>();
  const char* what = "A file (with a '/' or ending in .json), or the id of a stored run";
  app.add_option("a", options->a, what)->type_name("A")->required();
  app.add_option("b", options->b, what)->type_name("B")->required();
  app.add_flag("--across", options->comparison.across, "Compare two machines, too");
  add_share(app, "--least-effect", options->comparison.least_effect,
            "The least change that counts, as a share: 0.01; more where a result's own "
            "comparison of equal things says so");
  add_store_file(app, options->store);
  add_format(app, options->format);
  app.callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace splitbench::cli
