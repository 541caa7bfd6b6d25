#include "tests/results/synthetic_run.h"

#include <nlohmann/json.hpp>

#include "model/random.h"

namespace splitbench::test {
namespace {

Correctness passed_checks() {
  return {.exact_example_passed = true,
          .exact_integers_passed = true,
          .negative_control_failed = true,
          .ranks_agree = true,
          .max_error = 2e-6,
          .error_bound = 5e-5,
          .within_bound = true,
          .bound_informative = true,
          .reference = "float64 product on this device",
          .failure = ""};
}

// Mean 1, standard deviation `sd`.
double factor(Random& random, double sd) {
  return 1.0 + sd * 3.4641016151377544 * (random.uniform() - 0.5);
}

class Maker {
 public:
  explicit Maker(const SyntheticRun& run) : run_(run), random_(run.noise_seed) {}

  RoundRecord round(int session, int number) {
    const int device = (session + number) % ranks();
    RoundRecord record{.session = session, .round = number, .blocks = {}, .void_reason = ""};
    for (const Step& step : round_steps(run_.protocol, device)) {
      const bool whole = step.arm == Arm::full || step.arm == Arm::unsplit || step.arm == Arm::twin;
      if (run_.fits_one_device || !whole) record.blocks.push_back({step, block(session, step)});
    }
    return record;
  }

 private:
  int ranks() const { return run_.protocol.ranks; }

  double ring_bytes(double message) const { return 2.0 * (ranks() - 1) / ranks() * message; }

  double collective(const Truth& truth, double message) const {
    return truth.latency + ring_bytes(message) / truth.bandwidth;
  }

  double shard(const Truth& truth) const { return truth.compute / (ranks() * truth.efficiency); }

  // Seconds of the arm's work, without e.
  double work(const Step& step) const {
    const Truth& truth = run_.truths[step.point];
    const Operation& op = run_.protocol.points[step.point];
    const double own = static_cast<double>(op.tokens * op.d_model) * 4.0;
    switch (step.arm) {
      case Arm::empty:
        return 0.0;
      case Arm::serial:
        return truth.serial;
      case Arm::full:
        return truth.compute;
      case Arm::shard:
        return shard(truth);
      case Arm::shard_alone:
        return shard(truth) / truth.shard_slowdown;
      case Arm::collective:
      case Arm::collective_pipelined:
      case Arm::collective_sweep:
        return collective(truth, step.message->value());
      case Arm::unsplit:
      case Arm::twin:
        return truth.serial + truth.compute;
      case Arm::split_without_collective:
        return truth.serial + shard(truth) + truth.split_extra;
      case Arm::split:
        return truth.serial + shard(truth) + truth.split_extra +
               static_cast<double>(op.layers) * collective(truth, own);
    }
    return 0.0;
  }

  // One noise for an arm of a point in a session, whatever the number of its blocks.
  double session_factor(int session, const Step& step) const {
    Random random(mix64(run_.noise_seed) + 1000003ULL * static_cast<std::uint64_t>(session) +
                  1009ULL * step.point + static_cast<std::uint64_t>(step.arm));
    return factor(random, run_.session_noise);
  }

  Block block(int session, const Step& step) {
    const Truth& truth = run_.truths[step.point];
    const auto layers = static_cast<int>(run_.protocol.points[step.point].layers);
    Block block;
    block.ranks = step.device ? 1 : ranks();
    const bool in_layers = !step.device && (step.arm == Arm::serial || step.arm == Arm::shard);
    if (in_layers) block.layers = layers;
    const double empty = step.device ? truth.empty : truth.empty_all_ranks;
    const double typical = work(step) * session_factor(session, step);
    for (int repeat = 0; repeat < run_.repeats; ++repeat) {
      const double work = typical * factor(random_, run_.repeat_noise);
      block.seconds.insert(block.seconds.end(), static_cast<std::size_t>(block.ranks),
                           work + (block.layers + 1) * empty);
      block.layer_seconds.insert(block.layer_seconds.end(),
                                 block.layers * static_cast<std::size_t>(block.ranks),
                                 in_layers ? work / layers + empty : 0.0);
    }
    return block;
  }

  const SyntheticRun& run_;
  Random random_;
};

}  // namespace

Records make_records(const SyntheticRun& run) {
  Records records;
  records.run.id = "2026-01-31T12:00:00Z-0000002a";
  records.run.protocol = run.protocol;
  records.run.node.backend = "host";
  for (int rank = 0; rank < run.protocol.ranks; ++rank) {
    records.run.node.devices.push_back(
        {.name = "CPU core", .uuid = {}, .memory = Bytes(8e9), .more = {{"cores", {rank}}}});
  }
  records.run.node.links.push_back(
      {.a = 0, .b = 1, .kind = "shared L3", .path = Path::host_memory});
  records.run.node.software = {{"openblas", "0.3.21"}};
  records.run.provenance = {.version = "0.1.0",
                            .commit = "0123456789abcdef",
                            .started_utc = "2026-01-31T12:00:00Z",
                            .seed = 42,
                            .command = {"splitbench", "run"}};
  Maker maker(run);
  for (int session = 0; session < run.sessions; ++session) {
    SessionRecord record;
    record.session = session;
    record.correctness.assign(run.protocol.points.size(), passed_checks());
    record.memory_peak.assign(static_cast<std::size_t>(run.protocol.ranks), Bytes(1e8 + session));
    for (int rank = 0; rank < run.protocol.ranks; ++rank) {
      record.health.push_back({{"rank", rank}, {"involuntary_context_switches", 3}});
    }
    records.sessions.push_back(std::move(record));
    for (int round = 0; round < run.rounds; ++round) {
      records.rounds.push_back(maker.round(session, round));
    }
  }
  return records;
}

Protocol synthetic_protocol(const std::vector<int>& tokens) {
  const nlohmann::json document{
      {"schema", "splitbench.protocol/1"},
      {"name", "synthetic"},
      {"purpose", "Are known parameters found again?"},
      {"operations",
       {{{"tokens", tokens}, {"d_model", 1000}, {"d_ff", 4000}, {"layers", 4}, {"dtype", "fp32"}}}},
      {"launch", "direct"}};
  return load_protocol(document.dump(), "synthetic");
}

SyntheticRun base_case() {
  return {.protocol = synthetic_protocol({500}), .truths = {Truth{}}};
}

}  // namespace splitbench::test
