#include "results/record_json.h"

#include <utility>

#include "model/invalid_input.h"
#include "protocols/named.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

// Leaves `target` as it is where the key is missing.
template <class T>
void get_optional(const Json& document, const char* key, std::optional<T>& target) {
  if (document.contains(key)) target = document[key].get<T>();
}

Launch launch(const std::string& name) {
  if (const auto found = find_in(launches(), name)) return *found;
  throw InvalidInput("launch", "unknown launch mode '" + name + "'");
}

Json to_json(const Block& block) {
  Json document{{"round", block.round},     {"device", block.device},
                {"ranks", block.ranks},     {"layers", block.layers},
                {"seconds", block.seconds}, {"layer_seconds", block.layer_seconds}};
  if (block.clock_hz) document["clock_hz"] = *block.clock_hz;
  return document;
}

Block block_from_json(const Json& document) {
  Block block;
  document.at("round").get_to(block.round);
  document.at("device").get_to(block.device);
  document.at("ranks").get_to(block.ranks);
  document.at("layers").get_to(block.layers);
  document.at("seconds").get_to(block.seconds);
  document.at("layer_seconds").get_to(block.layer_seconds);
  get_optional(document, "clock_hz", block.clock_hz);
  return block;
}

Json to_json(const Step& step) {
  Json document{{"point", step.point}, {"arm", name(step.arm)}};
  if (step.message) document["message_bytes"] = step.message->value();
  if (step.device) document["device"] = *step.device;
  return document;
}

Step step_from_json(const Json& document) {
  Step step;
  document.at("point").get_to(step.point);
  step.arm = arm(document.at("arm").get<std::string>());
  std::optional<double> message;
  get_optional(document, "message_bytes", message);
  if (message) step.message = Bytes(*message);
  get_optional(document, "device", step.device);
  return step;
}

}  // namespace

Json to_json(const Correctness& correctness) {
  return {{"passed", correctness.passed()},
          {"exact_example_passed", correctness.exact_example_passed},
          {"exact_integers_passed", correctness.exact_integers_passed},
          {"negative_control_failed", correctness.negative_control_failed},
          {"ranks_agree", correctness.ranks_agree},
          {"max_error", correctness.max_error},
          {"error_bound", correctness.error_bound},
          {"within_bound", correctness.within_bound},
          {"bound_informative", correctness.bound_informative},
          {"reference", correctness.reference},
          {"failure", correctness.failure},
          {"checksum", correctness.checksum.empty() ? Json(nullptr) : Json(correctness.checksum)}};
}

Correctness correctness_from_json(const Json& document) {
  Correctness correctness;
  document.at("exact_example_passed").get_to(correctness.exact_example_passed);
  document.at("exact_integers_passed").get_to(correctness.exact_integers_passed);
  document.at("negative_control_failed").get_to(correctness.negative_control_failed);
  document.at("ranks_agree").get_to(correctness.ranks_agree);
  document.at("max_error").get_to(correctness.max_error);
  document.at("error_bound").get_to(correctness.error_bound);
  document.at("within_bound").get_to(correctness.within_bound);
  document.at("bound_informative").get_to(correctness.bound_informative);
  document.at("reference").get_to(correctness.reference);
  document.at("failure").get_to(correctness.failure);
  const auto checksum = document.find("checksum");  // older records have none
  if (checksum != document.end() && !checksum->is_null()) checksum->get_to(correctness.checksum);
  return correctness;
}

Json to_json(const Provenance& provenance) {
  return {{"version", provenance.version},
          {"commit", provenance.commit.empty() ? Json(nullptr) : Json(provenance.commit)},
          {"started_utc", provenance.started_utc},
          {"seed", provenance.seed},
          {"command", provenance.command}};
}

Provenance provenance_from_json(const Json& document) {
  Provenance provenance;
  document.at("version").get_to(provenance.version);
  const Json& commit = document.at("commit");
  if (!commit.is_null()) commit.get_to(provenance.commit);
  document.at("started_utc").get_to(provenance.started_utc);
  document.at("seed").get_to(provenance.seed);
  document.at("command").get_to(provenance.command);
  return provenance;
}

Json to_json(const RunRecord& run) {
  Json document{{"id", run.id},
                {"protocol", to_json(run.protocol)},
                {"node", to_json(run.node)},
                {"launch", name(run.launch)},
                {"provenance", to_json(run.provenance)},
                {"preflight", to_json(run.preflight)},
                {"notes", run.notes}};
  if (run.price_per_hour) document["price_per_hour"] = *run.price_per_hour;
  return document;
}

RunRecord run_from_json(const Json& document) {
  RunRecord run;
  document.at("id").get_to(run.id);
  run.protocol = load_protocol(document.at("protocol").dump(2), "the protocol of run " + run.id);
  run.node = node_from_json(document.at("node"));
  run.launch = launch(document.at("launch").get<std::string>());
  run.provenance = provenance_from_json(document.at("provenance"));
  if (document.contains("preflight")) {  // not in stores of before nodes were looked at
    run.preflight = check_results_from_json(document["preflight"]);
  }
  document.at("notes").get_to(run.notes);
  get_optional(document, "price_per_hour", run.price_per_hour);
  return run;
}

Json to_json(const SessionRecord& session) {
  Json correctness = Json::array();
  for (const Correctness& point : session.correctness) correctness.push_back(to_json(point));
  Json memory = Json::array();
  for (const Bytes peak : session.memory_peak) memory.push_back(peak.value());
  Json document{{"session", session.session},
                {"correctness", std::move(correctness)},
                {"memory_peak_bytes", std::move(memory)},
                {"choices", session.choices},
                {"stand_in", session.stand_in},
                {"health", session.health},
                {"devices_before", to_json(session.devices_before)},
                {"warm_up_rounds", session.warm_up_rounds},
                {"warmed_up", session.warmed_up}};
  if (session.start_up) document["start_up_s"] = session.start_up->value();
  return document;
}

SessionRecord session_from_json(const Json& document) {
  SessionRecord session;
  document.at("session").get_to(session.session);
  for (const Json& point : document.at("correctness")) {
    session.correctness.push_back(correctness_from_json(point));
  }
  for (const Json& peak : document.at("memory_peak_bytes")) {
    session.memory_peak.emplace_back(peak.get<double>());
  }
  session.health = document.at("health");
  if (document.contains("choices")) session.choices = document["choices"];
  if (document.contains("stand_in")) session.stand_in = document["stand_in"];
  if (document.contains("devices_before")) {
    session.devices_before = device_health_from_json(document["devices_before"]);
  }
  std::optional<double> start_up;
  get_optional(document, "start_up_s", start_up);
  if (start_up) session.start_up = Seconds(*start_up);
  if (document.contains("warm_up_rounds")) {
    document["warm_up_rounds"].get_to(session.warm_up_rounds);
    document["warmed_up"].get_to(session.warmed_up);
  }
  return session;
}

Json to_json(const RoundRecord& round) {
  Json blocks = Json::array();
  for (const auto& [step, block] : round.blocks) {
    blocks.push_back({{"step", to_json(step)}, {"block", to_json(block)}});
  }
  return {{"session", round.session},
          {"round", round.round},
          {"void_reason", round.void_reason},
          {"health", to_json(round.health)},
          {"blocks", std::move(blocks)}};
}

RoundRecord round_from_json(const Json& document) {
  RoundRecord round;
  document.at("session").get_to(round.session);
  document.at("round").get_to(round.round);
  document.at("void_reason").get_to(round.void_reason);
  if (document.contains("health")) {
    round.health = device_health_from_json(document["health"]);
  }
  for (const Json& entry : document.at("blocks")) {
    round.blocks.push_back({step_from_json(entry.at("step")), block_from_json(entry.at("block"))});
  }
  return round;
}

}  // namespace splitbench
