// What the pictures of a proof share: what they are drawn from, and how they begin and end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "harness/proof/picture/panel.h"

namespace splitbench::proof {

// A document splitbench.proof/1.
using Json = nlohmann::ordered_json;

// The rows of a study; null where the document has none of it.
const Json* rows_of(const Json& document, std::string_view study);

// Of a share of runs, or of a plain number: percent.
double percent_of(const Json& cell);

// 6, 10, 20 sessions: the same colour and mark in every picture.
struct Series {
  std::string name;
  const char* look;
  Mark mark;
};
const Series& series_of_sessions(int sessions);

// Marks and their names from left to right. Returns where the next thing may stand.
Spot legend(Svg& svg, Spot at, const std::vector<Series>& series);

// A ground with title and, at the foot, where the numbers are from: program, date, commit, seeds
// and `of_what`.
Svg begin_picture(const Json& document, Spot size, const std::string& title,
                  const std::string& description, const std::string& of_what);

}  // namespace splitbench::proof
