// What a store of a million blocks costs its readers: the history of one series, and a gate.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "harness/backends/simulated/backend.h"
#include "harness/backends/simulated/run.h"
#include "results/gate.h"
#include "results/history.h"
#include "results/result_document.h"

namespace {

using namespace splitbench;

constexpr std::size_t kBlocks = 1'000'000;

Protocol nightly_protocol() {
  Protocol protocol;
  protocol.name = "nightly";
  protocol.purpose = "What do readers of a large store wait for?";
  for (const std::int64_t tokens : {1, 16, 128}) {
    protocol.points.push_back({.tokens = tokens, .d_model = 768, .d_ff = 3072, .layers = 4});
  }
  for (const auto& arm : arms()) protocol.arms.push_back(arm.value);
  return protocol;
}

StoredRun one_run() {
  StoredRun stored;
  stored.run.protocol = nightly_protocol();
  stored.run.node = simulated::describe_node({}, {.ranks = 2});
  stored.run.provenance = {
      .version = "0", .commit = "", .started_utc = "", .seed = 1, .command = {}};
  simulated::Records records = simulated::simulate({}, stored.run.protocol, 1);
  stored.sessions = std::move(records.sessions);
  stored.rounds = std::move(records.rounds);
  stored.outcome = RunOutcome::complete;
  return stored;
}

// A file of its own, removed when the program ends.
class LargeStore {
 public:
  LargeStore() {
    std::string name = std::filesystem::temp_directory_path() / "splitbench-bench-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    directory_ = name;
    Store store = Store::open(file(), Store::Mode::create);
    StoredRun run = one_run();
    auto document = result_document(run.run, run.sessions, run.rounds, run.outcome);
    for (; blocks_ < kBlocks; ++runs_) {
      run.run.id = fmt::format("run-{:05}", runs_);
      run.run.provenance.started_utc = fmt::format(
          "{:04}-{:02}-{:02}T02:00:00Z", 2020 + runs_ / 336, 1 + runs_ / 28 % 12, 1 + runs_ % 28);
      document["id"] = run.run.id;
      document["provenance"]["started_utc"] = run.run.provenance.started_utc;
      run.document = document.dump(2);
      store.add_run(run);
      for (const RoundRecord& round : run.rounds) blocks_ += round.blocks.size();
    }
  }
  ~LargeStore() { std::filesystem::remove_all(directory_); }
  LargeStore(const LargeStore&) = delete;
  LargeStore& operator=(const LargeStore&) = delete;

  std::filesystem::path file() const { return directory_ / "store.db"; }
  std::size_t runs() const { return runs_; }
  std::size_t blocks() const { return blocks_; }

 private:
  std::filesystem::path directory_;
  std::size_t runs_ = 0;
  std::size_t blocks_ = 0;
};

const LargeStore& large_store() {
  static const LargeStore store;
  return store;
}

std::vector<SeriesRun> whole_series() {
  const Store store = Store::open(large_store().file(), Store::Mode::reading);
  return read_series(store, store.newest_run().value().fingerprint, "nightly");
}

void History(benchmark::State& state) {
  large_store();
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(history_document(whole_series(), {}));
  }
  state.counters["runs"] = static_cast<double>(large_store().runs());
  state.counters["blocks"] = static_cast<double>(large_store().blocks());
}
BENCHMARK(History)->Unit(benchmark::kMillisecond);

void Gate(benchmark::State& state) {
  large_store();
  for ([[maybe_unused]] auto _ : state) {
    GateRequest request;
    request.series = whole_series();
    request.judged = request.series.back().view;
    benchmark::DoNotOptimize(gate_document(request));
  }
}
BENCHMARK(Gate)->Unit(benchmark::kMillisecond);

}  // namespace
