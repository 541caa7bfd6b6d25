#include "harness/proof/command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/proof/attribution_study.h"
#include "harness/proof/bias.h"
#include "harness/proof/cost.h"
#include "harness/proof/coverage.h"
#include "harness/proof/document.h"
#include "harness/proof/errors.h"
#include "harness/proof/interval_study.h"
#include "harness/proof/naive_study.h"
#include "harness/proof/picture/pictures.h"
#include "harness/proof/prediction_study.h"
#include "harness/proof/size_study.h"
#include "harness/proof/table_study.h"
#include "harness/proof/year_study.h"
#include "harness/version.h"
#include "protocols/document.h"
#include "results/new_file.h"

namespace splitbench::proof {
namespace {

namespace fs = std::filesystem;
struct Part {
  const char* name;
  std::vector<Study> (*run)(const Order& order, Ticker& ticker);
};

constexpr std::array kParts{
    Part{"coverage", coverage},     Part{"intervals", interval_methods},
    Part{"naive", naive_intervals}, Part{"verdicts", verdict_errors},
    Part{"power", power},           Part{"attribution", attribution_of_faults},
    Part{"bias", prediction_bias},  Part{"prediction", prediction_error},
    Part{"year", year_of_nights},   Part{"sizes", collective_over_sizes},
    Part{"tables", public_tables}};

struct Options {
  Order order;
  std::vector<std::string> parts;  // none: all
  std::string tables;              // none: what takes them is not run
  std::string out;                 // none: results/proof/DATE.json
  std::string pictures;            // none: nothing is drawn
  std::string from;                // a document to draw; none: a new one is made
  bool json = false;
  bool quiet = false;
};

std::string utc(const char* format) {
  return fmt::format(fmt::runtime(format), fmt::gmtime(std::time(nullptr)));
}

bool wanted(const Options& options, const Part& part) {
  const auto& names = options.parts;
  return names.empty() || std::find(names.begin(), names.end(), part.name) != names.end();
}

fs::path target(const Options& options) {
  if (!options.out.empty()) return options.out;
  fs::create_directories("results/proof");
  return fs::path("results/proof") / utc("{:%Y-%m-%dT%H%M%SZ}.json");
}

void draw(const Options& options, const Json& document) {
  for (const DrawnPicture& picture : write_pictures(document, options.pictures)) {
    const std::string file = (fs::path(options.pictures) / picture.file).string();
    if (!picture.lacking.empty()) {
      fmt::print(stderr, "not drawn: {}, the document has no study '{}'\n", file, picture.lacking);
    } else if (!options.quiet) {
      fmt::print(stderr, "drawn: {}\n", file);
    }
  }
}

int draw_again(const Options& options) {
  const std::string text = read_document(options.from);
  const Document document(text, options.from);
  try {
    if (document.value().at("schema").get<std::string>() != kProofSchema) {
      document.fail_at_key("/schema", fmt::format("expected {}", kProofSchema));
    }
    draw(options, Json::parse(text));  // with its keys in order
  } catch (const Json::exception& error) {
    document.fail("", fmt::format("cannot be drawn by this version: {}", error.what()));
  }
  return cli::kDone;
}

int prove(Options options) {
  if (!options.tables.empty()) options.order.tables = published_tables(options.tables);
  if (!options.pictures.empty()) prepare_folder(options.pictures);
  const fs::path file = target(options);
  fs::path tables = file;
  tables.replace_extension(".md");
  check_new_file(file);
  check_new_file(tables);
  Json run = {{"started_utc", utc("{:%Y-%m-%dT%H:%M:%SZ}")}};
  const auto begin = std::chrono::steady_clock::now();
  std::vector<Study> studies;
  {
    Ticker ticker(options.quiet);
    for (const Part& part : kParts) {
      if (!wanted(options, part)) continue;
      for (Study& study : part.run(options.order, ticker)) studies.push_back(std::move(study));
    }
  }
  run["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run["cost"] = measured_cost();
  const Json document = proof_document(studies, options.order, std::move(run));
  const std::string text = document.dump(2) + "\n";
  const std::string page = proof_tables(document);
  write_new_file(file, text);
  write_new_file(tables, page);
  fmt::print("{}", options.json ? text : page);
  if (!options.quiet) fmt::print(stderr, "written: {} and {}\n", file.string(), tables.string());
  if (!options.pictures.empty()) draw(options, document);
  return any_missed(studies) ? cli::kRequirementFailed : cli::kDone;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--seeds", options.order.seeds, "runs of each case; other studies take a share")
      ->capture_default_str()
      ->check(CLI::Range(20, 1'000'000));
  app.add_option("--seed", options.order.seed, "what all chance follows from")
      ->capture_default_str();
  std::vector<std::string> names;
  for (const Part& part : kParts) names.emplace_back(part.name);
  app.add_option("--studies", options.parts, "only these, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  app.add_option("--tables", options.tables,
                 "folder of tables that others published; without it the study 'tables' is not "
                 "run, and says so");
  app.add_option("--out", options.out,
                 "the document; its tables go beside it as .md. Never overwrites. Default: "
                 "results/proof/DATE.json");
  const std::map<std::string, Sabotage> sabotages{
      {"none", Sabotage::none}, {"narrow", Sabotage::narrow}, {"biased", Sabotage::biased}};
  app.add_option("--sabotage", options.order.sabotage,
                 "break the estimator: intervals too narrow, or shards 3 % too fast. Claims must "
                 "then be missed")
      ->transform(CLI::CheckedTransformer(sabotages));
  app.add_option_function<std::string>(
         "--format", [&options](const std::string& format) { options.json = format == "json"; },
         "what standard output gets: table (default) or json")
      ->check(CLI::IsMember({"table", "json"}));
  app.add_flag("--quiet", options.quiet, "no progress");
}

void add_picture_options(CLI::App& app, Options& options) {
  CLI::Option* pictures = app.add_option(
      "--pictures", options.pictures, "folder for pictures of the document, SVG; overwrites them");
  CLI::Option* from =
      app.add_option("--from", options.from, "draw this document; nothing is run")->needs(pictures);
  for (const char* of_a_run :
       {"--seeds", "--seed", "--studies", "--tables", "--out", "--sabotage", "--format"}) {
    from->excludes(app.get_option(of_a_run));
  }
}

}  // namespace

int run_proof(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Proves on simulated devices, whose true times are known, that intervals hold the\n"
      "truth as often as they say, that verdicts are wrong as seldom as they say, and\n"
      "what simpler methods would have said; and on tables that others published how far\n"
      "predictions are off.\n");
  app.set_version_flag("--version", std::string(version()));
  app.footer(
      "Examples: splitbench-selftest --seeds 200 --studies coverage,verdicts\n"
      "          splitbench-selftest --from results/proof/DATE.json --pictures docs/pictures");
  add_options(app, options);
  add_picture_options(app, options);
  try {
    app.parse(argc, argv);
    return options.from.empty() ? prove(options) : draw_again(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kDone : cli::kBadInput;
  } catch (const Interrupted& interrupted) {
    fmt::print(stderr, "\ninterrupted: nothing was written\n");
    return 128 + interrupted.signal();
  } catch (const BadDocument& error) {
    fmt::print(stderr, "splitbench-selftest: {}\n", error.what());
    return cli::kBadInput;
  } catch (const NewFileError& error) {
    fmt::print(stderr, "splitbench-selftest: {}\n", error.what());
    return cli::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "splitbench-selftest: {}\n", error.what());
    return cli::kFault;
  }
}

}  // namespace splitbench::proof
