#include "results/result_head.h"

#include <cstdint>
#include <utility>

#include "model/wire.h"
#include "results/flow.h"
#include "results/record_json.h"
#include "results/result_document.h"

namespace splitbench {

using Json = nlohmann::ordered_json;

Json document_head(const RunRecord& run, RunOutcome outcome, Json notes, Json rounds) {
  const Json node = to_json(run.node);
  Json document;
  document["schema"] = kResultSchema;
  document["id"] = run.id;
  document["backend"] = node["backend"];
  document["times_are"] = node["times_are"];
  document["outcome"] = name(outcome);
  document["notes"] = std::move(notes);
  document["node"] = {
      {"devices", node["devices"]}, {"links", node["links"]}, {"software", node["software"]}};
  if (node.contains("no_verdict")) document["node"]["no_verdict"] = node["no_verdict"];
  document["preflight"] = to_json(run.preflight);
  document["protocol"] = to_json(run.protocol);
  document["provenance"] = to_json(run.provenance);
  document["rounds"] = std::move(rounds);
  return document;
}

Json document_reasons(const RunRecord& run) {
  Json reasons = Json::object();
  if (run.provenance.commit.empty()) {
    reasons["provenance.commit"] = "built outside a git checkout";
  }
  return reasons;
}

Json point_head(const RunRecord& run, const Operation& operation, const Json& memory,
                const Json& choices) {
  const int ranks = run.protocol.ranks;
  const Bytes message = message_bytes(operation);
  Json point;
  point["operation"] = to_json(operation);
  point["ranks"] = ranks;
  point["collectives"] = collectives(operation, ranks);
  point["message_bytes"] = static_cast<std::int64_t>(message.value());
  point["wire_bytes"] = wire_bytes(message, ranks).value();
  point["flow"] = flow(operation, ranks, run.node.links);
  point["launch"] = name(run.launch);
  point["cache"] = name(run.protocol.cache);
  point["organisation"] = name(run.protocol.organisation);
  point["memory_peak_bytes"] = memory;
  point["choices"] = choices;
  return point;
}

}  // namespace splitbench
