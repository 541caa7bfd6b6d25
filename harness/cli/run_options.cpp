#include "harness/cli/run_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "harness/cli/named_result.h"
#include "harness/process/executable.h"
#include "harness/supervisor/choice.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "protocols/catalogue.h"

namespace splitbench::cli {
namespace {

std::int64_t count(const std::string& text, std::int64_t least, std::int64_t most) {
  if (text.find(',') != std::string::npos) {
    throw InvalidInput("", "'" + text + "': expected one value, not a list");
  }
  const std::int64_t value = parse_count(text);
  if (value < least) {
    throw InvalidInput("", fmt::format("'{}': expected a value of at least {}", text, least));
  }
  if (value > most)
    throw InvalidInput("",
                       fmt::format("{} is out of range; expected {} to {}", value, least, most));
  return value;
}

template <class T>
void add_optional_count(CLI::App& app, const std::string& flag, T least, std::optional<T>& target,
                        const std::string& help) {
  add_parsed(app, flag, target, "COUNT", help, [least](const std::string& text) {
    constexpr std::uint64_t kMost = std::numeric_limits<T>::max();
    constexpr std::uint64_t kMostRead = std::numeric_limits<std::int64_t>::max();
    return static_cast<T>(count(text, static_cast<std::int64_t>(least),
                                static_cast<std::int64_t>(std::min(kMost, kMostRead))));
  });
}

template <class T>
void add_counts(CLI::App& app, const std::string& flag, T least, std::vector<T>& target,
                const std::string& help) {
  add_parsed(app, flag, target, "LIST", help, [least](const std::string& text) {
    std::vector<T> values;
    for (const std::string& part : comma_separated(text)) {
      values.push_back(static_cast<T>(count(part, least, std::numeric_limits<T>::max())));
    }
    return values;
  });
}

void add_shape_options(CLI::App& app, RunOptions& options) {
  add_counts<std::int64_t>(app, "--tokens", 1, options.tokens, "Tokens, one or several: 1,16,128");
  add_optional_count<std::int64_t>(app, "--d-model", 1, options.d_model, "Width of the model");
  add_optional_count<std::int64_t>(app, "--d-ff", 1, options.d_ff, "Width of the hidden layer");
  add_optional_count<std::int64_t>(app, "--layers", 1, options.layers,
                                   "Layers, one collective each");
  app.add_option("--dtype", options.dtype, "fp32, tf32, fp16 or bf16");
}

void add_sampling_options(CLI::App& app, RunOptions& options) {
  add_optional_count<std::int64_t>(app, "--sessions", 1, options.sessions,
                                   "Fresh sets of rank processes");
  add_optional_count<std::int64_t>(app, "--rounds", 1, options.rounds,
                                   "Passes over all arms in a session");
  add_parsed(app, "--budget", options.budget, "TIME",
             "Time for everything; what does not fit is dropped, and said", parse_seconds);
  add_optional_count<std::uint64_t>(app, "--seed", 0, options.seed,
                                    "Of the order, the data and the resampling");
  app.add_option("--cache", options.cache, "hot or flushed, in all arms");
}

void add_positive_number(CLI::App& app, const std::string& flag, std::optional<double>& target,
                         const std::string& help) {
  add_parsed(app, flag, target, "NUMBER", help, [](const std::string& text) {
    const double number = parse_number(text);
    if (!(number > 0) || std::isinf(number)) {
      throw InvalidInput("", "'" + text + "': expected a finite value above 0");
    }
    return number;
  });
}

// All points with the given dimensions; a list of tokens makes new points from the first one. Of
// other points than its own the protocol's purpose says nothing.
void replace_shapes(Protocol& protocol, const RunOptions& options) {
  const std::vector<Operation> own = protocol.points;
  if (!options.tokens.empty()) {
    const Operation like = protocol.points.front();
    protocol.points.clear();
    for (const std::int64_t tokens : options.tokens) {
      protocol.points.push_back(like);
      protocol.points.back().tokens = tokens;
    }
  }
  std::vector<Operation> points;
  for (Operation point : protocol.points) {
    point.d_model = options.d_model.value_or(point.d_model);
    point.d_ff = options.d_ff.value_or(point.d_ff);
    point.layers = options.layers.value_or(point.layers);
    if (options.dtype) point.dtype = data_type(*options.dtype);
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  }
  protocol.points = std::move(points);
  if (protocol.points != own) protocol.purpose = "Does splitting pay for the operation asked for?";
}

void check_devices(const DeviceRequest& request) {
  if (request.oversubscribe) return;
  std::set<int> seen;
  for (const int device : request.devices) {
    if (!seen.insert(device).second) {
      throw InvalidInput("devices", fmt::format("device {} is named twice; ranks share one with "
                                                "--oversubscribe alone",
                                                device));
    }
  }
}

void add_replay_options(CLI::App& app, RunOptions& options, const CLI::Validator& file) {
  app.add_option("--mlp-table", options.mlp_table, "Times of the products, for --backend replay")
      ->type_name("FILE")
      ->check(file);
  app.add_option("--collective-table", options.collective_tables,
                 "Times of the all-reduce; once for each implementation")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(file);
  app.add_option("--implementation", options.implementation,
                 "Which of them to predict with: its file's name (default: the first)");
  add_parsed(app, "--leave-out-bytes", options.left_out, "SIZE",
             "Hide these entries of the all-reduce from the prediction, or 'own': each point's",
             [](const std::string& text) {
               if (text == "own") return replay::LeftOut{.own = true};
               return replay::LeftOut{.bytes = parse_bytes(text)};
             });
}

}  // namespace

std::string default_protocol(const std::string& backend) {
  if (backend == "replay") return backend;
  return meant_backend(backend).name == "cuda" ? "gpu" : "default";
}

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("protocol", options.protocol, "Name of a protocol, or a file")
      ->check(named("the name of a protocol"));
  add_format(app, options.format);
  app.add_flag("--quiet", options.quiet, "No progress");
  app.add_flag("--dry-run", options.dry_run, "Check the protocol, print its plan, measure nothing");
  app.add_option("--backend", options.backend, "auto, cuda, host, simulated or replay");
  add_optional_count<int>(app, "--ranks", 1, options.ranks, "Devices to split over");
  add_devices(app, options.devices.devices);
  app.add_flag("--oversubscribe", options.devices.oversubscribe,
               "Let ranks share CPU cores or GPUs; labelled, on GPUs without verdicts");
  add_shape_options(app, options);
  add_sampling_options(app, options);
  const CLI::Validator file = named("the name of a file");
  app.add_option("--out", options.out, "Write the result document to FILE; never over another")
      ->type_name("FILE")
      ->check(file);
  app.add_option("--scenario", options.scenario, "What simulated devices are like")
      ->type_name("FILE")
      ->check(file);
  add_replay_options(app, options, file);
  app.add_option("--store", options.store, "Keep results in FILE")->type_name("FILE")->check(file);
  add_positive_number(app, "--require-speedup", options.require_speedup,
                      "Exit 1 where a point's speedup is below this, 4 where it cannot be said");
  app.add_flag("--require-model", options.require_model,
               "Exit 1 where the prediction fails, 4 where it cannot be said");
  add_positive_number(app, "--price-per-hour", options.price_per_hour,
                      "Of one device: adds what a million tokens cost, on one and split");
  add_deadline(app, options.patience, "Longest silence of a rank (default 60 s)");
  // Not listed: given by 'gate --confirm'.
  app.add_option("--confirms", options.confirms)->group("");
  app.add_option("--parent", options.parent)->group("");
}

Protocol resolve_protocol(const RunOptions& options) {
  check_devices(options.devices);
  const std::string name =
      options.protocol.empty() ? default_protocol(options.backend) : options.protocol;
  Protocol protocol =
      load_protocol_file(find_protocol(name, protocol_directories(executable_directory())));
  replace_shapes(protocol, options);
  if (!options.devices.devices.empty()) {
    protocol.ranks = static_cast<int>(options.devices.devices.size());
  }
  if (options.ranks) {
    if (!options.devices.devices.empty() && *options.ranks != protocol.ranks) {
      throw InvalidInput(
          "ranks", fmt::format("{} ranks, but --devices names {}", *options.ranks, protocol.ranks));
    }
    protocol.ranks = *options.ranks;
  }
  if (protocol.ranks < 2) {
    throw InvalidInput("ranks", "one device splits nothing; expected at least 2");
  }
  protocol.sampling.sessions = options.sessions.value_or(protocol.sampling.sessions);
  protocol.sampling.rounds = options.rounds.value_or(protocol.sampling.rounds);
  protocol.sampling.budget = options.budget.value_or(protocol.sampling.budget);
  protocol.seed = options.seed.value_or(protocol.seed);
  if (options.cache) {
    const auto cache = find_in(caches(), *options.cache);
    if (!cache) {
      throw InvalidInput("cache", "'" + *options.cache + "' is unknown; expected hot or flushed");
    }
    protocol.cache = *cache;
  }
  try {
    check(protocol, name + " with the command line's options");
  } catch (const BadDocument& error) {
    // No file of the user's has these lines.
    throw BadDocument(error.file(), error.pointer(), {}, error.message());
  }
  return protocol;
}

}  // namespace splitbench::cli
