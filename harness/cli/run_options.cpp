#include "harness/cli/run_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "harness/registry.h"
#include "harness/run.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "protocols/catalogue.h"

namespace splitbench::cli {
namespace {

// Backends of the product that this program may have been built without.
constexpr std::array<std::string_view, 5> kKnownBackends{"auto", "cuda", "host", "simulated",
                                                         "replay"};

std::vector<std::int64_t> counts(const std::string& flag, const std::string& text,
                                 std::int64_t least) {
  std::vector<std::int64_t> values;
  std::size_t begin = 0;
  try {
    while (begin <= text.size()) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      values.push_back(parse_count(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  } catch (const InvalidInput& error) {
    throw CLI::ValidationError(flag, error.what());
  }
  if (*std::min_element(values.begin(), values.end()) < least) {
    throw CLI::ValidationError(flag,
                               fmt::format("'{}': expected values of at least {}", text, least));
  }
  return values;
}

std::int64_t count(const std::string& flag, const std::string& text, std::int64_t least) {
  const std::vector<std::int64_t> values = counts(flag, text, least);
  if (values.size() == 1) return values.front();
  throw CLI::ValidationError(flag, "'" + text + "': expected one value, not a list");
}

template <class T>
void add_optional_count(CLI::App& app, const std::string& flag, std::optional<T>& target,
                        const std::string& help) {
  auto store = [flag, &target](const std::string& text) {
    const std::int64_t value = count(flag, text, 1);
    if (!std::in_range<T>(value)) {
      throw CLI::ValidationError(flag, fmt::format("{} is out of range", value));
    }
    target = static_cast<T>(value);
  };
  app.add_option_function<std::string>(flag, store, help)->type_name("COUNT");
}

void add_shape_options(CLI::App& app, RunOptions& options) {
  app.add_option_function<std::string>(
         "--tokens",
         [&options](const std::string& text) { options.tokens = counts("--tokens", text, 1); },
         "Tokens, one or several: 1,16,128")
      ->type_name("LIST");
  add_optional_count(app, "--d-model", options.d_model, "Width of the model");
  add_optional_count(app, "--d-ff", options.d_ff, "Width of the hidden layer");
  add_optional_count(app, "--layers", options.layers, "Layers, one collective each");
  app.add_option("--dtype", options.dtype, "fp32, tf32, fp16 or bf16");
}

void add_sampling_options(CLI::App& app, RunOptions& options) {
  add_optional_count(app, "--sessions", options.sessions, "Fresh sets of rank processes");
  add_optional_count(app, "--rounds", options.rounds, "Passes over all arms in a session");
  app.add_option_function<std::string>(
         "--budget",
         [&options](const std::string& text) {
           try {
             options.budget = parse_seconds(text);
           } catch (const InvalidInput& error) {
             throw CLI::ValidationError("--budget", error.what());
           }
         },
         "Time for everything; what does not fit is dropped, and said")
      ->type_name("TIME");
  app.add_option_function<std::string>(
         "--seed",
         [&options](const std::string& text) {
           options.seed = static_cast<std::uint64_t>(count("--seed", text, 0));
         },
         "Of the order, the data and the resampling")
      ->type_name("COUNT");
  app.add_option("--cache", options.cache, "hot or flushed, in all arms");
}

void add_positive_number(CLI::App& app, const std::string& flag, std::optional<double>& target,
                         const std::string& help) {
  auto store = [flag, &target](const std::string& text) {
    try {
      target = parse_number(text);
      if (!(*target > 0) || std::isinf(*target)) {
        throw InvalidInput("", "'" + text + "': expected a finite value above 0");
      }
    } catch (const InvalidInput& error) {
      throw CLI::ValidationError(flag, error.what());
    }
  };
  app.add_option_function<std::string>(flag, store, help)->type_name("NUMBER");
}

// All points with the given dimensions; a list of tokens makes new points from the first one.
void replace_shapes(Protocol& protocol, const RunOptions& options) {
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
}

bool nvidia_device_is_visible() {
  std::error_code ignored;
  return std::filesystem::exists("/dev/nvidia0", ignored) ||
         std::filesystem::exists("/dev/nvidiactl", ignored) ||
         std::filesystem::exists("/dev/dxg", ignored);
}

}  // namespace

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("protocol", options.protocol, "Name of a protocol, or a file");
  add_format(app, options.format);
  app.add_flag("--quiet", options.quiet, "No progress");
  app.add_flag("--dry-run", options.dry_run, "Check the protocol, print its plan, measure nothing");
  app.add_option("--backend", options.backend, "auto, cuda, host, simulated or replay");
  add_optional_count(app, "--ranks", options.ranks, "Devices to split over");
  app.add_option_function<std::string>(
         "--devices",
         [&options](const std::string& text) {
           for (const std::int64_t device : counts("--devices", text, 0)) {
             if (!std::in_range<int>(device)) {
               throw CLI::ValidationError("--devices", fmt::format("{} is out of range", device));
             }
             options.devices.devices.push_back(static_cast<int>(device));
           }
         },
         "Which ones: 0,1")
      ->type_name("LIST");
  app.add_flag("--oversubscribe", options.devices.oversubscribe,
               "Let ranks share CPU cores; labelled");
  add_shape_options(app, options);
  add_sampling_options(app, options);
  const CLI::Validator named(
      [](const std::string& text) {
        return text.empty() ? std::string("expected the name of a file") : std::string();
      },
      "");
  app.add_option("--out", options.out, "Write the result document to FILE; never over another")
      ->type_name("FILE")
      ->check(named);
  app.add_option("--store", options.store, "Keep results in FILE")->type_name("FILE")->check(named);
  add_positive_number(app, "--require-speedup", options.require_speedup,
                      "Exit 1 where a point's speedup is below this, 4 where it cannot be said");
  app.add_flag("--require-model", options.require_model,
               "Exit 1 where the prediction fails, 4 where it cannot be said");
  add_positive_number(app, "--price-per-hour", options.price_per_hour,
                      "Of one device: adds what a million tokens cost, on one and split");
  add_quantity(app, "--deadline", options.patience, "Longest silence of a rank (default 60 s)");
}

Protocol resolve_protocol(const RunOptions& options) {
  Protocol protocol = load_protocol_file(
      find_protocol(options.protocol, protocol_directories(executable_directory())));
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
  if (options.patience < Seconds(0.1)) {
    throw InvalidInput("deadline", "expected at least 100ms");
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
    check(protocol, options.protocol + " with the command line's options");
  } catch (const BadDocument& error) {
    // No file of the user's has these lines.
    throw BadDocument(error.file(), error.pointer(), {}, error.message());
  }
  return protocol;
}

void require_known_backend(const RunOptions& options) {
  if (std::find(kKnownBackends.begin(), kKnownBackends.end(), options.backend) !=
      kKnownBackends.end()) {
    return;
  }
  throw InvalidInput("backend", fmt::format("'{}' is unknown; expected auto, cuda, host, simulated "
                                            "or replay",
                                            options.backend));
}

const Backend& choose_backend(const RunOptions& options) {
  const bool automatic = options.backend == "auto";
  if (automatic && nvidia_device_is_visible() && find_backend("cuda") == nullptr) {
    throw CannotRunHere(
        "an NVIDIA device is visible, but this program was built without the cuda backend\n"
        "To mend it: build it where the CUDA Toolkit (12.4 or newer) and NCCL are installed, or "
        "measure CPU cores with --backend host");
  }
  const std::string name = automatic ? "host" : options.backend;
  const Backend* backend = find_backend(name);
  if (backend != nullptr) return *backend;
  if (std::find(kKnownBackends.begin(), kKnownBackends.end(), name) == kKnownBackends.end()) {
    throw InvalidInput("backend",
                       "'" + name + "' is unknown; expected auto, cuda, host, simulated or replay");
  }
  throw CannotRunHere(fmt::format(
      "this program was built without the {} backend\nTo mend it: use --backend host", name));
}

std::filesystem::path executable_directory() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace splitbench::cli
