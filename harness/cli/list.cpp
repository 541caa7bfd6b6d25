#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/cli/exit_code.h"
#include "harness/cli/named_result.h"
#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"
#include "harness/supervisor/choice.h"
#include "protocols/catalogue.h"
#include "results/run_filter.h"
#include "results/store.h"

namespace splitbench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ListOptions {
  std::string what;
  Format format = Format::table;
  std::filesystem::path store;
  RunFilter filter;
};

Json list_backends() {
  Json rows = Json::array();
  std::vector<std::future<Choice>> choices;
  for (const BackendEntry& backend : known_backends()) {
    choices.push_back(
        std::async(std::launch::async, [&backend] { return survey_backend(backend, {}); }));
  }
  for (const BackendEntry& backend : known_backends()) {
    const Survey survey = choices[rows.size()].get().survey;
    const bool available = survey.missing.empty();
    Json row;
    row["name"] = backend.name;
    row["available"] = available;
    row["description"] = backend.description;
    row["reason"] = available ? Json(nullptr) : Json(survey.missing);
    row["mend"] = available ? Json(nullptr) : Json(survey.mend);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json list_protocols(std::vector<std::string> (*names)(const std::vector<std::filesystem::path>&)) {
  const auto directories = protocol_directories(executable_directory());
  Json rows = Json::array();
  for (const std::string& protocol : names(directories)) {
    const auto path = find_protocol(protocol, directories);
    Json row;
    row["name"] = protocol;
    row["purpose"] = load_protocol_file(path).purpose;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json list_arms() {
  Json rows = Json::array();
  for (const auto& arm : arms()) {
    Json row;
    row["name"] = arm.name;
    row["description"] = arm.description;
    rows.push_back(std::move(row));
  }
  return rows;
}

// What cannot be read is said on standard error and put into `damaged`.
Json list_runs(const ListOptions& options, std::vector<std::string>& damaged) {
  const std::filesystem::path file = store_file(options.store);
  Json rows = Json::array();
  if (options.store.empty() && !std::filesystem::exists(file)) return rows;
  RunList list = Store::open(file, Store::Mode::reading).list_runs();
  damaged = std::move(list.damaged);
  for (const std::string& sentence : damaged) say("splitbench: " + sentence + "\n");
  for (const RunSummary& run : list.runs) {
    if (!options.filter.takes(run)) continue;
    Json row;
    row["id"] = run.id;
    row["outcome"] = name(run.outcome);
    row["backend"] = run.backend;
    row["times_are"] = name(run.times_are);
    row["protocol"] = run.protocol;
    row["rounds"] = run.rounds;
    row["node"] = run.node;
    row["fingerprint"] = run.fingerprint;
    row["started_utc"] = run.started_utc;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string cell(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Rows of a name and what is to be said of it, under a header, no wider than a screen.
std::string table(std::string_view name, std::string_view text,
                  const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t width = name.size();
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::string lines = fmt::format("{:<{}}  {}\n", name, width, text);
  for (const auto& row : rows) {
    lines += wrapped(fmt::format("{:<{}}  ", row.first, width), row.second, width + 2);
  }
  return lines;
}

std::string name_and_use(std::string_view name, std::string_view use) {
  return fmt::format("{:<9}  {:<4}", name, use);
}

std::string backends_table(const Json& rows) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Json& row : rows) {
    std::string text = cell(row["description"]);
    if (!row["reason"].is_null()) {
      text += fmt::format(". Not here: {}. To mend it: {}", cell(row["reason"]), cell(row["mend"]));
    }
    lines.emplace_back(name_and_use(cell(row["name"]), row["available"].get<bool>() ? "yes" : "no"),
                       std::move(text));
  }
  return table(name_and_use("backend", "here"), "what it measures", lines);
}

// Name and the one other value of each.
std::string pairs_table(std::string_view name, const char* key, const Json& rows) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const Json& row : rows) lines.emplace_back(cell(row["name"]), cell(row[key]));
  return table(name, key, lines);
}

std::string runs_table(const Json& rows) {
  std::string lines = rows.empty() ? "none\n" : "";
  for (const Json& row : rows) {
    lines += wrapped("",
                     fmt::format("{}  {}  {} ({})", cell(row["id"]), cell(row["outcome"]),
                                 cell(row["backend"]), cell(row["times_are"])),
                     4);
    lines += wrapped("    ",
                     fmt::format("protocol {}, {} rounds, node {}: {}", cell(row["protocol"]),
                                 cell(row["rounds"]), cell(row["fingerprint"]), cell(row["node"])),
                     4);
  }
  return lines;
}

std::string screen(const std::string& what, const Json& rows) {
  if (what == "backends") return backends_table(rows);
  if (what == "runs") return runs_table(rows);
  if (what == "arms") return pairs_table("arm", "description", rows);
  return pairs_table(what == "presets" ? "preset" : "protocol", "purpose", rows);
}

std::vector<CLI::Option*> add_filter(CLI::App& app, RunFilter& filter) {
  return {app.add_option("--backend", filter.backend, "Of runs: those of this backend")
              ->type_name("NAME"),
          app.add_option("--protocol", filter.protocol, "Of runs: those of this protocol")
              ->type_name("NAME"),
          app.add_option("--node", filter.fingerprint,
                         "Of runs: those of the machine whose fingerprint begins so")
              ->type_name("DIGITS"),
          add_parsed(app, "--outcome", filter.outcome, "NAME", "Of runs: complete, partial or void",
                     run_outcome),
          add_parsed(app, "--since", filter.since, "DATE", "Of runs: those from this day (UTC) on",
                     date),
          add_parsed(app, "--until", filter.until, "DATE", "Of runs: those up to this day (UTC)",
                     date)};
}

void require_no(const std::vector<CLI::Option*>& filters) {
  for (const CLI::Option* filter : filters) {
    if (filter->count() == 0) continue;
    throw CLI::ValidationError(filter->get_name(), "filters runs; expected 'list runs'");
  }
}

int list(const ListOptions& options) {
  Json rows;
  std::vector<std::string> damaged;
  if (options.what == "backends") rows = list_backends();
  if (options.what == "protocols") rows = list_protocols(protocol_names);
  if (options.what == "presets") rows = list_protocols(preset_names);
  if (options.what == "arms") rows = list_arms();
  if (options.what == "runs") rows = list_runs(options, damaged);
  if (options.format == Format::json) {
    Json document{{"schema", "splitbench.list/1"}, {options.what, rows}};
    if (options.what == "runs") document["damaged"] = damaged;
    fmt::print("{}\n", document.dump(2));
  } else {
    print_screen(screen(options.what, rows));
  }
  return damaged.empty() ? kDone : kBadInput;
}

}  // namespace

void add_list(CLI::App& program, Action& action) {
  CLI::App& app =
      *program.add_subcommand("list", "Backends, protocols, presets, arms, stored runs");
  app.footer("Example:\n  splitbench list protocols");
  auto options = std::make_shared<ListOptions>();
  app.add_option("what", options->what,
                 "backends, protocols, presets (protocols of known models' layers), arms or runs")
      ->required()
      ->check(CLI::IsMember({"backends", "protocols", "presets", "arms", "runs"}));
  add_format(app, options->format);
  add_store_file(app, options->store);
  const std::vector<CLI::Option*> filters = add_filter(app, options->filter);
  app.callback([options, filters, &action] {
    if (options->what != "runs") require_no(filters);
    action = [options] { return list(*options); };
  });
}

}  // namespace splitbench::cli
