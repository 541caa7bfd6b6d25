#include "harness/cli/node_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "harness/cli/options.h"
#include "harness/supervisor/choice.h"
#include "model/invalid_input.h"
#include "model/quantity_text.h"
#include "protocols/catalogue.h"

namespace splitbench::cli {
namespace {

constexpr std::size_t kMostOperations = 1024;
constexpr const char* kExample =
    "expected tokens=1,16,d_model=4096,d_ff=14336,layers=32,dtype=bf16 or the name of a preset "
    "('splitbench list presets')";

[[noreturn]] void refuse(const std::string& why) {
  throw InvalidInput("operation", why + "; " + kExample);
}

// "tokens=1,16,d_ff=8" -> tokens: 1, 16; d_ff: 8.
std::map<std::string, std::vector<std::string>> keys_in(const std::string& text) {
  std::map<std::string, std::vector<std::string>> keys;
  std::string key;
  for (const std::string& part : comma_separated(text)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos && key.empty()) refuse("'" + part + "' is of no key");
    if (equals != std::string::npos) {
      key = part.substr(0, equals);
      if (keys.contains(key)) refuse("'" + key + "' is there twice");
    }
    keys[key].push_back(equals == std::string::npos ? part : part.substr(equals + 1));
  }
  return keys;
}

std::int64_t size_of(const std::string& key, const std::vector<std::string>& values) {
  if (values.size() != 1) refuse("'" + key + "' has several values");
  const long long size = parse_count(values.front());
  if (size < 1) refuse("'" + key + "' is not above 0");
  return size;
}

std::vector<Operation> operations_of(const std::string& text) {
  Operation operation{.dtype = DataType::bf16};
  std::vector<std::string> tokens;
  for (const auto& [key, values] : keys_in(text)) {
    if (key == "tokens") {
      tokens = values;
    } else if (key == "d_model") {
      operation.d_model = size_of(key, values);
    } else if (key == "d_ff") {
      operation.d_ff = size_of(key, values);
    } else if (key == "layers") {
      operation.layers = size_of(key, values);
    } else if (key == "dtype" && values.size() == 1) {
      operation.dtype = data_type(values.front());
    } else {
      refuse("'" + key + "' is no key, or has several values");
    }
  }
  if (tokens.empty() || operation.d_model == 0 || operation.d_ff == 0) {
    refuse("tokens, d_model or d_ff is missing");
  }
  if (tokens.size() > kMostOperations) refuse(fmt::format("more than {} tokens", kMostOperations));
  std::vector<Operation> operations;
  for (const std::string& count : tokens) {
    operation.tokens = size_of("tokens", {count});
    operations.push_back(operation);
  }
  return operations;
}

}  // namespace

std::vector<CLI::Option*> add_node_options(CLI::App& app, NodeOptions& options) {
  return {
      app.add_option("--node", options.files,
                     "What nvidia-smi and nccl-tests say of a node: an estimate before it is "
                     "measured; several files of one node, - is standard input")
          ->type_name("FILE"),
      app.add_option("--gpu", options.gpu, "Its GPU, where no file names it: 'H100 SXM'")
          ->type_name("NAME"),
      app.add_option("--operation", options.operation,
                     "tokens=1,16,d_model=4096,d_ff=14336,layers=32,dtype=bf16, or a preset's name")
          ->type_name("WHAT")};
}

std::vector<Operation> parse_operations(const std::string& text) {
  if (text.empty()) refuse("no operation is given");
  if (text.find('=') == std::string::npos) {
    const auto directories = protocol_directories(executable_directory());
    return load_protocol_file(find_protocol(text, directories)).points;
  }
  try {
    return operations_of(text);
  } catch (const InvalidInput& error) {
    if (error.field() == "operation") throw;
    refuse(error.what());
  }
}

EstimateRequest estimate_request(const NodeOptions& options, int ranks) {
  EstimateRequest request;
  request.operations = parse_operations(options.operation);
  request.ranks = ranks;
  for (const Operation& operation : request.operations) {
    try {
      check(operation, ranks);
    } catch (const InvalidInput& error) {
      throw InvalidInput("operation", error.what());
    }
  }
  request.gpu = options.gpu;
  request.catalogue = load_gpu_catalogue(protocol_directories(executable_directory()));
  std::vector<TextSource> sources;
  for (const std::string& file : options.files) sources.push_back(read_text_source(file));
  request.known = read_known_node(sources);
  return request;
}

}  // namespace splitbench::cli
