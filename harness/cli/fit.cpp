#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/fit_screen.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "model/quantity_text.h"
#include "results/fit_document.h"

namespace splitbench::cli {
namespace {

struct FitOptions {
  Format format = Format::table;
  std::vector<std::string> files;
  std::optional<Bytes> at;
  int ranks = 0;  // 0: not given
};

int fit(const FitOptions& options) {
  FitRequest request{.inputs = {}, .ranks = std::nullopt, .at = options.at};
  if (options.ranks > 0) request.ranks = options.ranks;
  for (const std::string& file : options.files) {
    const TextSource source = read_text_source(file);
    request.inputs.push_back({source.file(), read_runs(source)});
  }
  const nlohmann::ordered_json document = fit_document(request);
  if (options.format == Format::json) {
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(fit_screen(document));
  }
  return kDone;
}

}  // namespace

void add_fit(CLI::App& program, Action& action) {
  CLI::App& app = *program.add_subcommand(
      "fit", "All-reduce times that someone has as fixed costs, bandwidths and where they change");
  app.footer("Example:\n  splitbench fit all_reduce.log --at 2MiB");
  auto options = std::make_shared<FitOptions>();
  add_format(app, options->format);
  app.add_option("FILE", options->files,
                 "What nccl-tests or rccl-tests printed, their JSON, or a table with the columns "
                 "message_bytes and latency_us; - is standard input")
      ->required();
  add_parsed(app, "--at", options->at, "SIZE", "The time and the local line of this message",
             parse_bytes);
  add_count(app, "--ranks", 2, options->ranks,
            "Runs of so many ranks; needed where a text does not tell");
  app.callback([options, &action] { action = [options] { return fit(*options); }; });
}

}  // namespace splitbench::cli
