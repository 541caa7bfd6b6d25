#include "tests/results/records.h"

#include <rapidcheck.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace splitbench::test {
namespace {

using nlohmann::ordered_json;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return same_bits(x, y); });
}

bool same(const Block& a, const Block& b) {
  // Names every member, so that a new one does not compile before it is compared.
  const auto& [round, device, ranks, layers, seconds, layer_seconds, clock] = a;
  return round == b.round && device == b.device && ranks == b.ranks && layers == b.layers &&
         same_bits(seconds, b.seconds) && same_bits(layer_seconds, b.layer_seconds) &&
         clock.has_value() == b.clock_hz.has_value() &&
         same_bits(clock.value_or(0), b.clock_hz.value_or(0));
}

int whole(int least, int most) {
  return *rc::gen::inRange(least, most + 1);
}
std::string text() {
  return *rc::gen::arbitrary<std::string>();
}
std::vector<std::string> texts() {
  return *rc::gen::arbitrary<std::vector<std::string>>();
}
double number() {
  using Limits = std::numeric_limits<double>;
  return *rc::gen::weightedOneOf<double>(
      {{8, rc::gen::arbitrary<double>()},
       {1, rc::gen::element(0.0, -0.0, 0.1, Limits::denorm_min(), Limits::min(), Limits::max(),
                            1.0 + Limits::epsilon())}});
}
std::vector<double> numbers(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = number();
  return values;
}
Bytes size() {
  return Bytes(static_cast<double>(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 53)));
}

ordered_json object() {
  ordered_json value = ordered_json::object();
  for (int i = whole(0, 3); i > 0; --i) {
    std::string key = "x";
    key += text();
    switch (whole(0, 3)) {
      case 0:
        value[key] = number();
        break;
      case 1:
        value[key] = text();
        break;
      case 2:
        value[key] = *rc::gen::arbitrary<std::int64_t>();
        break;
      default:
        value[key] = {{"z", nullptr}, {"a", {true, 1.5}}};
    }
  }
  return value;
}

Protocol random_protocol() {
  Protocol protocol;
  protocol.name = "random-" + std::to_string(whole(0, 99));
  protocol.purpose = "What comes back is what was saved.";
  if (whole(0, 1) == 1) protocol.expected = "\"equal\" \\ \u00e9";
  protocol.ranks = whole(2, 9);
  const int points = whole(1, 3);
  for (int point = 1; point <= points; ++point) {
    protocol.points.push_back({.tokens = point,
                               .d_model = whole(1, 4096),
                               .d_ff = std::int64_t{protocol.ranks} * whole(1, 4096),
                               .layers = whole(1, 96),
                               .dtype = *rc::gen::element(DataType::fp32, DataType::bf16)});
  }
  protocol.launch = *rc::gen::element(Launch::automatic, Launch::graph);
  protocol.cache = *rc::gen::element(Cache::hot, Cache::flushed);
  for (const Named<Arm>& arm : arms()) {
    if (required(arm.value) || whole(0, 1) == 1) protocol.arms.push_back(arm.value);
  }
  protocol.sampling.sessions = whole(1, 20);
  protocol.sampling.block_min = Seconds(0.001 * whole(1, 9));
  protocol.acceptance.model_error = 0.01 * whole(1, 9);
  protocol.seed = static_cast<std::uint64_t>(size().value()) / 2;
  return protocol;
}

NodeDescription random_node() {
  NodeDescription node;
  node.backend = text();
  node.times_are = *rc::gen::element(TimesAre::measured, TimesAre::simulated, TimesAre::tabulated,
                                     TimesAre::stand_in);
  for (int i = whole(0, 3); i > 0; --i) {
    Device device{.name = text(), .uuid = {}, .memory = size(), .more = object()};
    if (whole(0, 1) == 1) device.uuid = text();
    node.devices.push_back(std::move(device));
    node.links.push_back(
        {.a = whole(0, 8),
         .b = whole(0, 8),
         .kind = text(),
         .path = *rc::gen::element(Path::gpu_link, Path::host_memory, Path::network,
                                   Path::same_device, Path::unknown),
         .more = object()});
  }
  node.software = object();
  node.notes = texts();
  if (whole(0, 1) == 1) node.no_verdict = text();
  return node;
}

CheckResult random_check() {
  return {.check = text(),
          .status = *rc::gen::element(CheckStatus::pass, CheckStatus::warn, CheckStatus::fail,
                                      CheckStatus::unknown),
          .seen = text(),
          .wanted = text(),
          .mend = text(),
          .fault = whole(0, 1) == 1,
          .devices = texts()};
}

Correctness random_correctness() {
  return {.exact_example_passed = whole(0, 1) == 1,
          .exact_integers_passed = whole(0, 1) == 1,
          .negative_control_failed = whole(0, 1) == 1,
          .ranks_agree = whole(0, 1) == 1,
          .max_error = number(),
          .error_bound = number(),
          .within_bound = whole(0, 1) == 1,
          .bound_informative = whole(0, 1) == 1,
          .reference = text(),
          .failure = text()};
}

Step random_step() {
  Step step{.point = static_cast<std::size_t>(whole(0, 255)),
            .arm = arms()[static_cast<std::size_t>(whole(0, 10))].value};
  if (whole(0, 1) == 1) step.message = size();
  if (whole(0, 1) == 1) step.device = whole(0, 7);
  return step;
}

Block random_block(int round) {
  Block block{.round = round,
              .device = whole(0, 7),
              .ranks = whole(1, 4),
              .layers = whole(0, 3),
              .seconds = {},
              .layer_seconds = {},
              .clock_hz = {}};
  const int repeats = whole(0, 4);
  block.seconds = numbers(repeats * block.ranks);
  block.layer_seconds = numbers(repeats * block.ranks * block.layers);
  if (whole(0, 1) == 1) block.clock_hz = number();
  return block;
}

std::vector<DeviceHealth> random_health() {
  std::vector<DeviceHealth> devices;
  for (int rank = 0; rank < whole(0, 2); ++rank) {
    DeviceHealth device{.rank = rank,
                        .readings = {{text(), number()}},
                        .error_counters = {{text(), *rc::gen::arbitrary<std::uint64_t>()}},
                        .clock_reasons = {},
                        .other_processes = {},
                        .unknown = {{text(), text()}}};
    if (whole(0, 1) == 1) device.clock_reasons = texts();
    if (whole(0, 1) == 1) device.other_processes = whole(0, 3);
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace

RunRecord small_run(const std::string& id) {
  RunRecord run;
  run.id = id;
  run.protocol.name = "small";
  run.protocol.purpose = "Something to store.";
  run.protocol.points = {{.tokens = 16, .d_model = 768, .d_ff = 3072, .layers = 4}};
  for (const Named<Arm>& arm : arms()) run.protocol.arms.push_back(arm.value);
  run.node.backend = "host";
  run.node.devices = {{.name = "CPU core", .uuid = {}, .memory = Bytes(1e9)},
                      {.name = "CPU core", .uuid = {}, .memory = Bytes(1e9)}};
  run.provenance.started_utc = "2026-01-31T12:00:00Z";
  return run;
}

RoundRecord small_round(int session, int round) {
  const double time = 1e-3 * (1 + session) + 1e-6 * round;
  Block one_rank;
  one_rank.round = round;
  one_rank.device = 1;
  one_rank.seconds = {time, 2 * time, 3 * time, 4 * time};
  Block all_ranks = one_rank;
  all_ranks.ranks = 2;
  return {.session = session,
          .round = round,
          .blocks = {{{.arm = Arm::full, .device = 1}, one_rank}, {{.arm = Arm::split}, all_ranks}},
          .void_reason = "",
          .health = {}};
}

RunRecord random_run() {
  RunRecord run;
  run.id = text();
  run.protocol = random_protocol();
  run.node = random_node();
  run.launch = *rc::gen::element(Launch::direct, Launch::graph, Launch::eager);
  run.provenance = {.version = text(),
                    .commit = text(),
                    .started_utc = text(),
                    .seed = *rc::gen::arbitrary<std::uint64_t>(),
                    .command = texts()};
  for (int i = whole(0, 2); i > 0; --i) run.preflight.push_back(random_check());
  run.notes = texts();
  return run;
}

SessionRecord random_session(int session) {
  SessionRecord record;
  record.session = session;
  for (int i = whole(0, 3); i > 0; --i) {
    record.correctness.push_back(random_correctness());
    record.memory_peak.push_back(size());
    record.health.push_back(object());
  }
  record.devices_before = random_health();
  if (whole(0, 1) == 1) record.start_up = Seconds(0.125 * whole(0, 99));
  record.warm_up_rounds = whole(0, 40);
  record.warmed_up = whole(0, 1) == 1;
  return record;
}

RoundRecord random_round(int session, int round) {
  RoundRecord record{.session = session,
                     .round = round,
                     .blocks = {},
                     .void_reason = text(),
                     .health = random_health()};
  for (int i = whole(0, 4); i > 0; --i) {
    record.blocks.push_back({random_step(), random_block(round)});
  }
  return record;
}

bool same(const RoundRecord& a, const RoundRecord& b) {
  return a.session == b.session && a.round == b.round && a.void_reason == b.void_reason &&
         a.health == b.health &&
         std::equal(a.blocks.begin(), a.blocks.end(), b.blocks.begin(), b.blocks.end(),
                    [](const StepBlock& x, const StepBlock& y) {
                      return x.step == y.step && same(x.block, y.block);
                    });
}

}  // namespace splitbench::test
