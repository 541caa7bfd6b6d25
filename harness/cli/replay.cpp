#include "harness/cli/replay.h"

#include <fmt/format.h>

#include <utility>

#include "harness/cli/run_keeping.h"
#include "harness/cli/utf8_text.h"
#include "harness/supervisor/run.h"
#include "model/invalid_input.h"
#include "protocols/document.h"
#include "results/tabulated_document.h"

namespace splitbench::cli {
namespace {

GivenFile given(const std::filesystem::path& file) {
  return {.name = as_utf8(file.string()), .text = read_document(file)};
}

// Every point of the protocol as the tables have it; of rows alone one may be left out.
std::vector<TabulatedPoint> read_points(const RunOptions& options, Replay& replay,
                                        std::size_t& left_out, std::string& reason) {
  std::vector<TabulatedPoint> points;
  std::vector<Operation> kept;
  for (const Operation& operation : replay.protocol.points) {
    auto point = replay::read_point(replay.tables, operation, replay.protocol.ranks,
                                    options.left_out, replay.protocol.acceptance.least_effect);
    if (point) {
      points.push_back(*point);
      kept.push_back(operation);
      continue;
    }
    if (!replay.every_row) throw InvalidInput("", point.reason());
    if (left_out++ == 0) reason = point.reason();
  }
  if (points.empty()) throw InvalidInput("", "no row of the table can be predicted: " + reason);
  replay.protocol.points = std::move(kept);
  return points;
}

}  // namespace

void check_replay_options(const RunOptions& options) {
  const bool tables = !options.mlp_table.empty() && !options.collective_tables.empty();
  const bool any = !options.mlp_table.empty() || !options.collective_tables.empty() ||
                   !options.implementation.empty() || options.left_out;
  if (options.backend == "replay" && !tables) {
    throw InvalidInput("", "--backend replay takes --mlp-table FILE and --collective-table FILE");
  }
  if (options.backend != "replay" && any) {
    throw InvalidInput("", "tables of times are for --backend replay");
  }
}

Replay prepare_replay(const RunOptions& options, Protocol protocol) {
  std::vector<GivenFile> collectives;
  for (const auto& file : options.collective_tables) collectives.push_back(given(file));
  Replay replay{
      .tables = replay::read_tables(given(options.mlp_table), collectives, options.implementation),
      .protocol = std::move(protocol),
      .every_row = options.protocol.empty() && options.tokens.empty()};
  if (replay.protocol.ranks != replay::MlpTable::kRanks) {
    throw InvalidInput("ranks", "an MLP table has whole products and halves; expected 2");
  }
  if (!replay.every_row) return replay;
  const Operation like = replay.protocol.points.front();
  replay.protocol.points = replay::rows(replay.tables.mlp, like, options.d_model, options.d_ff);
  if (replay.protocol.points.empty()) {
    throw InvalidInput("mlp-table", replay.tables.mlp.find(like).reason());
  }
  check(replay.protocol, "the rows of " + options.mlp_table.string());
  return replay;
}

nlohmann::ordered_json carry_out(const RunOptions& options, Replay replay,
                                 const std::vector<std::string>& command) {
  std::size_t left_out = 0;
  std::string reason;
  const std::vector<TabulatedPoint> points = read_points(options, replay, left_out, reason);
  RunRequest request;
  request.choice.survey.node = replay::describe_node(replay.tables, replay.protocol.ranks);
  request.protocol = replay.protocol;
  request.command = command;
  RunRecord record = make_record(request);
  if (left_out > 0) {
    record.notes.push_back(
        fmt::format("{} of {} rows cannot be predicted and are left out, first: "
                    "{}",
                    left_out, left_out + points.size(), reason));
  }
  Store store = open_store(options);
  store.begin_run(record);
  nlohmann::ordered_json document = tabulated_document(record, points);
  print(options, keep(options, store, document), document, replay_screen);
  return document;
}

}  // namespace splitbench::cli
