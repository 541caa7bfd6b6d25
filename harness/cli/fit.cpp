#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/fit_screen.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "harness/supervisor/choice.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "protocols/catalogue.h"
#include "protocols/document.h"
#include "results/fit_document.h"
#include "results/known_node.h"

namespace splitbench::cli {
namespace {

struct FitOptions {
  Format format = Format::table;
  std::vector<std::string> files;
  std::string node;  // a file that says how the devices are joined; empty: none
  std::string gpu;   // their name, where no text has it
  std::optional<Bytes> at;
  int ranks = 0;  // 0: not given
};

// Of the first run whose link the texts tell. What a log itself says of its node may be of no use,
// and is then no reason to refuse its times.
Answer<Normality> normality(std::vector<TextSource> texts, const FitOptions& options) {
  auto found = Answer<Normality>::none("no all-reduce in it");
  if (!options.node.empty()) texts.push_back(read_text_source(options.node));
  try {
    const auto catalogue = load_gpu_catalogue(protocol_directories(executable_directory()));
    const KnownNode known = read_known_node(texts);
    const Answer<GpuModel> gpu = gpu_of(known, catalogue, options.gpu);
    for (const KnownRun& run : known.runs) {
      found = normality_of(run, known.node, gpu);
      if (found) return found;
    }
  } catch (const BadDocument& error) {
    if (!options.node.empty()) throw;
    found = Answer<Normality>::none(error.what());
  } catch (const InvalidInput& error) {  // there is no catalogue
    found = Answer<Normality>::none(error.what());
  }
  return found;
}

int fit(const FitOptions& options) {
  FitRequest request{.inputs = {}, .ranks = std::nullopt, .at = options.at};
  if (options.ranks > 0) request.ranks = options.ranks;
  std::vector<TextSource> texts;
  for (const std::string& file : options.files) {
    texts.push_back(read_text_source(file));
    request.inputs.push_back({texts.back().file(), read_runs(texts.back())});
  }
  request.normal = normality(std::move(texts), options);
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
  app.footer(
      "Example:\n"
      "  splitbench fit all_reduce.log --at 2MiB\n"
      "  splitbench fit all_reduce.log --node topo.txt     is its bandwidth normal?");
  auto options = std::make_shared<FitOptions>();
  add_format(app, options->format);
  app.add_option("FILE", options->files,
                 "What nccl-tests or rccl-tests printed, their JSON, or a table with the columns "
                 "message_bytes and latency_us; - is standard input")
      ->required();
  app.add_option("--node", options->node,
                 "What nvidia-smi topo -m and others say of that node: the bandwidth is set beside "
                 "its link")
      ->type_name("FILE");
  app.add_option("--gpu", options->gpu, "Its GPU, where no file names it: 'H100 SXM'")
      ->type_name("NAME");
  add_parsed(app, "--at", options->at, "SIZE", "The time and the local line of this message",
             parse_bytes);
  add_count(app, "--ranks", 2, options->ranks,
            "Runs of so many ranks; needed where a text does not tell");
  app.callback([options, &action] { action = [options] { return fit(*options); }; });
}

}  // namespace splitbench::cli
