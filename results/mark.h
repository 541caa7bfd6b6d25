// What somebody said of a run after it had ended.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace splitbench {

enum class MarkKind {
  accepted,  // the gate's baseline begins with it
  confirms,  // made at once to confirm another run, whose noise it shares: of no series
};
std::string_view name(MarkKind kind);

struct Mark {
  MarkKind kind = MarkKind::accepted;
  std::string marked_utc;  // "2026-01-31T12:00:00Z"
  std::string author;
  std::string reason;  // of `confirms` the id of the other run

  friend bool operator==(const Mark&, const Mark&) = default;
};

nlohmann::ordered_json to_json(const Mark& mark);
// Throws nlohmann::json::exception, InvalidInput for a kind that it does not know.
Mark mark_from_json(const nlohmann::ordered_json& document);

}  // namespace splitbench
