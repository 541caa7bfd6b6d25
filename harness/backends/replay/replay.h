// A protocol carried out on tables of times: no device, no process, no sample. Every point becomes
// parts that were read from the tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/backends/replay/tables.h"
#include "protocols/protocol.h"
#include "results/tabulated_document.h"

namespace splitbench::replay {

struct Tables {
  MlpTable mlp;
  std::vector<CollectiveTable> collectives;  // one per implementation; predicted with the first
};

// Throws BadDocument, or InvalidInput where two implementations have one name, or none is called
// `implementation` (empty: the first).
Tables read_tables(const GivenFile& mlp, const std::vector<GivenFile>& collectives,
                   const std::string& implementation);

// Entries of the all-reduce that no prediction may read: those of a message of so many bytes, or of
// each point's own. T_N is then put together from what was left out.
struct LeftOut {
  bool own = false;
  Bytes bytes{};
};

// Every row of the MLP table of these widths (nothing: any), with the layers and type of `like`.
std::vector<Operation> rows(const MlpTable& table, const Operation& like,
                            std::optional<std::int64_t> d_model, std::optional<std::int64_t> d_ff);

// None where a table does not cover the operation, or would not without what is left out.
Answer<TabulatedPoint> read_point(const Tables& tables, const Operation& operation, int ranks,
                                  const std::optional<LeftOut>& left_out, double least_effect);

// One device per rank, named by the table, and what weakens a result of tables.
NodeDescription describe_node(const Tables& tables, int ranks);

}  // namespace splitbench::replay
