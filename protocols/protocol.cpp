#include "protocols/protocol.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/invalid_input.h"
#include "model/stopping.h"
#include "protocols/document_value.h"

namespace splitbench {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxPoints = 1024;
constexpr std::size_t kMaxSweepSizes = 32;
// Sessions x rounds x points: keeps the plan of a whole run in memory.
constexpr std::int64_t kMaxVisits = 20'000;
constexpr std::int64_t kMaxSize = 2'147'483'647;          // what a BLAS can index
constexpr std::int64_t kMaxSeed = 9'007'199'254'740'991;  // 2^53 - 1: exact wherever JSON is read

std::string read_name(const DocumentValue& value) {
  std::string name = value.text(64);
  const bool plain = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos;
  if (!plain || name.front() == '-') {
    value.refuse("lower-case letters, digits and hyphens, as in \"gpt2-small\"");
  }
  return name;
}

// What the model says of an operation, at the value it speaks of.
void check_operation(const Operation& operation, int ranks, const DocumentValue& value) {
  try {
    check(operation, ranks);
  } catch (const InvalidInput& error) {
    value.member(error.field()).value_or(value).fail(error.what());
  }
}

DataType read_dtype(const DocumentValue& value) {
  const std::array<std::string_view, 4> names{name(DataType::fp32), name(DataType::tf32),
                                              name(DataType::fp16), name(DataType::bf16)};
  return data_type(value.one_of(names));
}

void add_point(Protocol& protocol, const Operation& point, const DocumentValue& at) {
  if (std::find(protocol.points.begin(), protocol.points.end(), point) != protocol.points.end()) {
    at.fail("the same operation is listed twice");
  }
  if (protocol.points.size() == kMaxPoints) {
    at.fail("more than " + std::to_string(kMaxPoints) + " operations");
  }
  protocol.points.push_back(point);
}

void read_operation(Protocol& protocol, const DocumentValue& value) {
  value.check_keys({"tokens", "d_model", "d_ff"}, {"layers", "dtype", "activation"});
  constexpr std::array<std::string_view, 1> kActivations{"relu"};
  if (const auto activation = value.member("activation")) activation->one_of(kActivations);
  Operation point;
  point.d_model = value.whole("d_model", 0, 1, kMaxSize);
  point.d_ff = value.whole("d_ff", 0, 1, kMaxSize);
  point.layers = value.whole("layers", 1, 1, 100'000);
  if (const auto dtype = value.member("dtype")) point.dtype = read_dtype(*dtype);

  const DocumentValue tokens = *value.member("tokens");
  const auto counts =
      tokens.is_array() ? tokens.elements(kMaxPoints) : std::vector<DocumentValue>{tokens};
  if (counts.empty()) tokens.refuse("a whole number or a list of them");
  for (const DocumentValue& count : counts) {
    point.tokens = count.whole(1, kMaxSize);
    check_operation(point, protocol.ranks, value);
    add_point(protocol, point, count);
  }
}

void read_operations(Protocol& protocol, const DocumentValue& value) {
  const auto operations = value.elements(kMaxPoints);
  if (operations.empty()) value.refuse("a list of one operation or more");
  for (const DocumentValue& operation : operations) read_operation(protocol, operation);
}

std::vector<Arm> all_arms() {
  std::vector<Arm> all;
  for (const Named<Arm>& entry : arms()) all.push_back(entry.value);
  return all;
}

std::vector<Arm> read_arms(const DocumentValue& value) {
  std::vector<Arm> chosen;
  for (const DocumentValue& element : value.elements(arms().size())) {
    const Arm arm = element.choice(arms());
    if (std::find(chosen.begin(), chosen.end(), arm) != chosen.end()) {
      element.fail("the same arm is listed twice");
    }
    chosen.push_back(arm);
  }
  for (const Arm arm : all_arms()) {
    if (required(arm) && std::find(chosen.begin(), chosen.end(), arm) == chosen.end()) {
      value.fail("the arm '" + std::string(name(arm)) +
                 "' is missing; there is no verdict without it");
    }
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Sampling read_sampling(const DocumentValue& value) {
  value.check_keys(
      {}, {"sessions", "rounds", "warmup_rounds", "block_min_s", "block_max_s", "budget_s"});
  Sampling sampling;
  sampling.sessions = value.whole("sessions", sampling.sessions, 1, 1000);
  sampling.rounds = value.whole("rounds", sampling.rounds, 1, 1000);
  sampling.warmup_rounds = value.whole("warmup_rounds", sampling.warmup_rounds, 0, 1000);
  sampling.block_min = Seconds(value.number("block_min_s", sampling.block_min.value(), 1e-6, 10.0));
  sampling.block_max = Seconds(value.number("block_max_s", sampling.block_max.value(), 1e-6, 10.0));
  sampling.budget = Seconds(value.number("budget_s", sampling.budget.value(), 0.1, 604'800.0));
  if (sampling.block_max < sampling.block_min) {
    value.fail("block_max_s is less than block_min_s");
  }
  return sampling;
}

// A list of at most 32 values, none twice.
template <class Value, class Read>
std::vector<Value> read_sizes(const DocumentValue& value, Read read) {
  std::vector<Value> sizes;
  for (const DocumentValue& element : value.elements(kMaxSweepSizes)) {
    const Value size = read(element);
    if (std::find(sizes.begin(), sizes.end(), size) != sizes.end()) {
      element.fail("the same size is listed twice");
    }
    sizes.push_back(size);
  }
  return sizes;
}

CollectiveSweep read_sweep(const DocumentValue& value) {
  value.check_keys({}, {"around", "grid_bytes"});
  CollectiveSweep sweep;
  if (const auto around = value.member("around")) {
    sweep.around = read_sizes<double>(
        *around, [](const DocumentValue& element) { return element.number(-10.0, 10.0); });
  }
  if (const auto grid = value.member("grid_bytes")) {
    constexpr std::int64_t kMaxMessage = std::int64_t{1} << 34;
    sweep.grid = read_sizes<Bytes>(*grid, [](const DocumentValue& element) {
      return Bytes(static_cast<double>(element.whole(1, kMaxMessage)));
    });
  }
  return sweep;
}

Acceptance read_acceptance(const DocumentValue& value) {
  value.check_keys({}, {"model_error", "model_error_floor_s", "least_effect", "early_stopping"});
  Acceptance acceptance;
  acceptance.model_error = value.number("model_error", acceptance.model_error, 1e-6, 1.0);
  acceptance.model_error_floor =
      Seconds(value.number("model_error_floor_s", acceptance.model_error_floor.value(), 0.0, 1.0));
  acceptance.least_effect = value.number("least_effect", acceptance.least_effect, 1e-6, 1.0);
  acceptance.early_stopping = value.boolean("early_stopping", acceptance.early_stopping);
  return acceptance;
}

// What no single value shows.
void check_together(const Protocol& protocol, const DocumentValue& root) {
  const Sampling& sampling = protocol.sampling;
  const std::int64_t visits = sampling.sessions * (sampling.rounds + sampling.warmup_rounds) *
                              static_cast<std::int64_t>(protocol.points.size());
  const DocumentValue at = root.member("sampling").value_or(root);
  if (visits > kMaxVisits) {
    at.fail("sessions x (rounds + warmup_rounds) x operations is " + std::to_string(visits) +
            "; expected at most " + std::to_string(kMaxVisits));
  }
  if (protocol.acceptance.early_stopping && !is_look(static_cast<std::size_t>(sampling.sessions))) {
    at.fail(
        "with early_stopping the looks are at 6, 10, 15 and 20 sessions; expected sessions to "
        "be one of them, found " +
        std::to_string(sampling.sessions));
  }
}

// A count of bytes, which JSON Schema wants written as a whole number.
std::int64_t whole_bytes(Bytes size) {
  return static_cast<std::int64_t>(size.value());
}

}  // namespace

ordered_json to_json(const Operation& operation) {
  return {{"tokens", operation.tokens}, {"d_model", operation.d_model},   {"d_ff", operation.d_ff},
          {"layers", operation.layers}, {"dtype", name(operation.dtype)}, {"activation", "relu"}};
}

bool has_arm(const Protocol& protocol, Arm arm) {
  return std::find(protocol.arms.begin(), protocol.arms.end(), arm) != protocol.arms.end();
}

Protocol load_protocol(std::string text, std::string source) {
  const Document document(std::move(text), std::move(source));
  const DocumentValue root(document);
  root.check_keys({"schema", "name", "purpose", "operations"},
                  {"expected", "source", "ranks", "organisation", "launch", "cache", "arms",
                   "sampling", "collective_sweep", "acceptance", "seed"});
  constexpr std::array<std::string_view, 1> kSchemas{kProtocolSchema};
  root.member("schema")->one_of(kSchemas);

  constexpr std::size_t kLongestText = 2000;
  Protocol protocol;
  protocol.name = read_name(*root.member("name"));
  protocol.purpose = root.member("purpose")->text(kLongestText);
  if (const auto expected = root.member("expected"))
    protocol.expected = expected->text(kLongestText);
  if (const auto shapes = root.member("source")) protocol.source = shapes->text(kLongestText);
  protocol.ranks = static_cast<int>(root.whole("ranks", protocol.ranks, 2, 1024));
  protocol.organisation = root.choice("organisation", protocol.organisation, organisations());
  protocol.launch = root.choice("launch", protocol.launch, launches());
  protocol.cache = root.choice("cache", protocol.cache, caches());
  read_operations(protocol, *root.member("operations"));
  const auto arms = root.member("arms");
  protocol.arms = arms ? read_arms(*arms) : all_arms();
  if (const auto sampling = root.member("sampling")) protocol.sampling = read_sampling(*sampling);
  if (const auto sweep = root.member("collective_sweep")) {
    protocol.collective_sweep = read_sweep(*sweep);
  }
  if (const auto acceptance = root.member("acceptance")) {
    protocol.acceptance = read_acceptance(*acceptance);
  }
  protocol.seed = static_cast<std::uint64_t>(
      root.whole("seed", static_cast<std::int64_t>(protocol.seed), 0, kMaxSeed));
  check_together(protocol, root);
  return protocol;
}

ordered_json to_json(const Protocol& protocol) {
  ordered_json document{
      {"schema", kProtocolSchema}, {"name", protocol.name}, {"purpose", protocol.purpose}};
  if (!protocol.expected.empty()) document["expected"] = protocol.expected;
  if (!protocol.source.empty()) document["source"] = protocol.source;
  document["operations"] = ordered_json::array();
  for (const Operation& point : protocol.points) {
    document["operations"].push_back(to_json(point));
  }
  document["ranks"] = protocol.ranks;
  document["organisation"] = name(protocol.organisation);
  document["launch"] = name(protocol.launch);
  document["cache"] = name(protocol.cache);
  document["arms"] = ordered_json::array();
  for (const Arm arm : protocol.arms) document["arms"].push_back(name(arm));
  const Sampling& sampling = protocol.sampling;
  document["sampling"] = {{"sessions", sampling.sessions},
                          {"rounds", sampling.rounds},
                          {"warmup_rounds", sampling.warmup_rounds},
                          {"block_min_s", sampling.block_min.value()},
                          {"block_max_s", sampling.block_max.value()},
                          {"budget_s", sampling.budget.value()}};
  ordered_json grid = ordered_json::array();
  for (const Bytes size : protocol.collective_sweep.grid) grid.push_back(whole_bytes(size));
  document["collective_sweep"] = {{"around", protocol.collective_sweep.around},
                                  {"grid_bytes", grid}};
  document["acceptance"] = {{"model_error", protocol.acceptance.model_error},
                            {"model_error_floor_s", protocol.acceptance.model_error_floor.value()},
                            {"least_effect", protocol.acceptance.least_effect},
                            {"early_stopping", protocol.acceptance.early_stopping}};
  document["seed"] = protocol.seed;
  return document;
}

void check(const Protocol& protocol, const std::string& source) {
  load_protocol(to_json(protocol).dump(2), source);
}

}  // namespace splitbench
