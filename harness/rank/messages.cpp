#include "harness/rank/messages.h"

#include <utility>

#include "harness/survey_json.h"
#include "results/record_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::json;

constexpr const char* kSessionProtocol = "protocol of this session";

Json to_json(const StepCosts& costs) {
  Json rows = Json::array();
  for (const auto& [kind, seconds] : costs.all()) {
    const auto& [point, arm, message, one_rank] = kind;
    rows.push_back({point, name(arm), message, one_rank, seconds.value()});
  }
  return rows;
}

StepCosts step_costs_from_json(const Json& rows) {
  StepCosts costs;
  for (const Json& row : rows) {
    costs.set({row.at(0).get<std::size_t>(), arm(row.at(1).get<std::string>()),
               row.at(2).get<double>(), row.at(3).get<bool>()},
              Seconds(row.at(4).get<double>()));
  }
  return costs;
}

struct Encoder {
  Json operator()(const Joined&) const { return {{"type", "joined"}}; }
  Json operator()(const Ready& m) const {
    return {{"type", "ready"}, {"session", splitbench::to_json(m.session)}};
  }
  Json operator()(const Calibrated& m) const {
    return {{"type", "calibrated"},
            {"costs", to_json(m.costs)},
            {"first_verification_s", m.first_verification.value()},
            {"verification_s", m.verification.value()}};
  }
  Json operator()(const RoundFinished& m) const {
    return {{"type", "round"}, {"round", splitbench::to_json(m.round)}};
  }
  Json operator()(const Done& m) const {
    return {{"type", "done"}, {"session", splitbench::to_json(m.session)}};
  }
  Json operator()(const Failed& m) const { return {{"type", "failed"}, {"message", m.message}}; }
  Json operator()(const Follow& m) const {
    return {{"type", "follow"}, {"protocol", splitbench::to_json(m.protocol).dump()}};
  }
  Json operator()(const Stored&) const { return {{"type", "stored"}}; }
};

[[noreturn]] void unknown(const std::string& type) {
  throw HarnessError("'" + type + "' is no message");
}

}  // namespace

Json encode(const Report& report) {
  return std::visit(Encoder{}, report);
}

Json encode(const Reply& reply) {
  return std::visit(Encoder{}, reply);
}

Report decode_report(const Json& message) {
  const auto type = message.at("type").get<std::string>();
  if (type == "joined") return Joined{};
  if (type == "ready") return Ready{session_from_json(message.at("session"))};
  if (type == "calibrated") {
    return Calibrated{
        .costs = step_costs_from_json(message.at("costs")),
        .first_verification = Seconds(message.at("first_verification_s").get<double>()),
        .verification = Seconds(message.at("verification_s").get<double>())};
  }
  if (type == "round") return RoundFinished{round_from_json(message.at("round"))};
  if (type == "done") return Done{session_from_json(message.at("session"))};
  if (type == "failed") return Failed{message.at("message").get<std::string>()};
  unknown(type);
}

Reply decode_reply(const Json& message) {
  const auto type = message.at("type").get<std::string>();
  if (type == "follow") {
    return Follow{load_protocol(message.at("protocol").get<std::string>(), kSessionProtocol)};
  }
  if (type == "stored") return Stored{};
  unknown(type);
}

Json encode(const SessionOrder& order) {
  Json verified = Json::array();
  for (const Correctness& point : order.verified) verified.emplace_back(splitbench::to_json(point));
  return {{"module", order.module.string()},
          {"devices", to_json(order.request)},
          {"protocol", to_json(order.protocol).dump()},
          {"seed", order.seed},
          {"launch", name(order.launch)},
          {"session", order.session},
          {"pinned", order.pinned},
          {"verified", std::move(verified)},
          {"patience_s", order.patience.value()}};
}

SessionOrder decode_order(const Json& message) {
  SessionOrder order;
  order.module = message.at("module").get<std::string>();
  order.request = device_request_from_json(message.at("devices"));
  order.protocol = load_protocol(message.at("protocol").get<std::string>(), kSessionProtocol);
  order.seed = message.at("seed").get<std::uint64_t>();
  order.launch = find_in(launches(), message.at("launch").get<std::string>()).value();
  order.session = message.at("session").get<int>();
  order.pinned = message.at("pinned");
  for (const Json& point : message.at("verified")) {
    order.verified.push_back(correctness_from_json(point));
  }
  order.patience = Seconds(message.at("patience_s").get<double>());
  return order;
}

}  // namespace splitbench
