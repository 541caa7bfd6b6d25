// One row of an nccl-tests table, and the header that says what its columns are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/answer.h"
#include "results/import/collective_run.h"

namespace splitbench {

// The columns of one group of times ("out-of-place", "in-place"), from its "time" on.
struct NcclTestsColumns {
  std::optional<std::size_t> groups;  // 1 or 2; nothing where no header and no row told
  std::size_t per_group = 4;          // time algbw busbw, #wrong or error, and what may follow
  std::optional<bool> has_root;       // likewise
  bool counts_wrong = true;           // "#wrong": a count; "error": the largest deviation
  bool in_place_first = false;        // of one group
  bool times_of_host = false;         // "cputime" where others have "time"
  bool timestamp = false;             // date and time of day at the end
  std::size_t words = 0;              // of a row; 0 where no header told
};

// None where the line names no columns of such a table.
std::optional<NcclTestsColumns> columns_in(std::string_view line);

// What begins a row: size, count, type. The rest of it may stand on a later line.
bool begins_row(std::string_view line);
// Numbers alone, as many as times have: the end of a row whose beginning is elsewhere.
bool ends_row(std::string_view line);

// "(B) (elements) (us) (GB/s) (GB/s)" below the header; and the first unit of it that nccl-tests
// does not print, empty where there is none.
bool is_unit_line(std::string_view line);
std::string foreign_unit(std::string_view line);

// Why the size and the count of a line that has a row's columns are none; empty for any other line.
std::string unread_size(std::string_view line, const NcclTestsColumns& columns);

// None for a row that is cut or not understood, with the reason.
Answer<CollectiveRow> row_in(std::string_view line, const NcclTestsColumns& columns);

}  // namespace splitbench
