#include "results/mark.h"

#include "model/invalid_input.h"

namespace splitbench {
namespace {

MarkKind mark_kind(const std::string& text) {
  for (const MarkKind kind : {MarkKind::accepted, MarkKind::confirms}) {
    if (text == name(kind)) return kind;
  }
  throw InvalidInput("kind", "unknown kind of mark '" + text + "'");
}

}  // namespace

std::string_view name(MarkKind kind) {
  return kind == MarkKind::accepted ? "accepted" : "confirms";
}

nlohmann::ordered_json to_json(const Mark& mark) {
  return {{"kind", name(mark.kind)},
          {"marked_utc", mark.marked_utc},
          {"author", mark.author},
          {"reason", mark.reason}};
}

Mark mark_from_json(const nlohmann::ordered_json& document) {
  return {.kind = mark_kind(document.at("kind").get<std::string>()),
          .marked_utc = document.at("marked_utc").get<std::string>(),
          .author = document.at("author").get<std::string>(),
          .reason = document.at("reason").get<std::string>()};
}

}  // namespace splitbench
