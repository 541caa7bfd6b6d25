#include "results/run_archive.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "model/invalid_input.h"
#include "results/checksum.h"
#include "results/record_json.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kNotFinite = "$not_finite";
constexpr const char* kBytes = "$bytes";
constexpr const char* kMembers = "$members";
constexpr std::string_view kDigits = "0123456789abcdef";

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

std::string hexadecimal(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    digits += {kDigits[byte / 16], kDigits[byte % 16]};
  }
  return digits;
}

std::string from_hexadecimal(const std::string& digits) {
  if (digits.size() % 2 != 0) throw InvalidInput(kBytes, "expected pairs of digits");
  std::string text;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t high = kDigits.find(digits[i]);
    const std::size_t low = kDigits.find(digits[i + 1]);
    if (high == kDigits.npos || low == kDigits.npos) {
      throw InvalidInput(kBytes, "expected hexadecimal digits");
    }
    text += static_cast<char>(high * 16 + low);
  }
  return text;
}

const char* name_of(double number) {
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

double not_finite(const std::string& name) {
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  throw InvalidInput(kNotFinite, "expected nan, inf or -inf, found '" + name + "'");
}

// Its keys are text, and none of them could be taken for one of the words here.
bool has_plain_keys(const Json& object) {
  const auto& members = object.items();
  return std::all_of(members.begin(), members.end(), [](const auto& member) {
    return is_utf8(member.key()) && member.key().rfind('$', 0) != 0;
  });
}

// A value with what JSON text cannot hold put into words.
Json spelled(Json value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    return Json{{kNotFinite, name_of(value.get<double>())}};
  }
  if (value.is_string() && !is_utf8(value.get_ref<const std::string&>())) {
    return Json{{kBytes, hexadecimal(value.get<std::string>())}};
  }
  if (value.is_object() && !has_plain_keys(value)) {
    Json members = Json::array();
    for (const auto& [key, member] : value.items()) {
      members.push_back(Json::array({spelled(key), spelled(member)}));
    }
    return Json{{kMembers, std::move(members)}};
  }
  if (value.is_structured()) {
    for (Json& member : value) member = spelled(std::move(member));
  }
  return value;
}

Json unspelled(Json value);

Json object_of(const Json& members) {
  Json object = Json::object();
  for (const Json& member : members) {
    object[unspelled(member.at(0)).get<std::string>()] = unspelled(member.at(1));
  }
  return object;
}

Json unspelled(Json value) {
  if (value.is_object() && value.size() == 1) {
    if (value.contains(kNotFinite)) return not_finite(value[kNotFinite].get<std::string>());
    if (value.contains(kBytes)) return from_hexadecimal(value[kBytes].get<std::string>());
    if (value.contains(kMembers)) return object_of(value[kMembers]);
  }
  if (value.is_structured()) {
    for (Json& member : value) member = unspelled(std::move(member));
  }
  return value;
}

StoredRun stored_run(const Json& document) {
  StoredRun stored;
  stored.run = run_from_json(document.at("run"));
  for (const Json& session : document.at("sessions")) {
    stored.sessions.push_back(session_from_json(session));
  }
  for (const Json& round : document.at("rounds")) stored.rounds.push_back(round_from_json(round));
  for (const Json& forecast : document.at("forecasts")) {
    stored.forecasts.emplace(forecast.at("sessions").get<std::int64_t>(),
                             forecast.at("document").get<std::string>());
  }
  stored.outcome = run_outcome(document.at("outcome").get<std::string>());
  const Json& result = document.at("result");
  if (!result.is_null()) stored.document = result.get<std::string>();
  if (document.contains("marks")) {  // not in exports of before there were any
    for (const Json& mark : document["marks"]) stored.marks.push_back(mark_from_json(mark));
  }
  return stored;
}

// Takes the checksum out; throws where the rest is not what it is of.
void check_contents(Json& run) {
  if (!run.contains("checksum")) return;  // not in exports of before there were any
  const std::string written = run["checksum"].get<std::string>();
  run.erase("checksum");
  const std::string found = checksum_text(run.dump());
  if (found == written) return;
  throw InvalidInput("", "this is not what was exported: its checksum is " + written +
                             ", that of what stands there is " + found);
}

Json parsed(const std::string& text, const std::string& source) {
  try {
    Json document = Json::parse(text);
    if (document.at("schema") == kRunsSchema && document.at("runs").is_array()) return document;
  } catch (const Json::exception& error) {
    throw InvalidInput("", source + ": " + error.what());
  }
  throw InvalidInput("", source + ": /schema: expected \"" + std::string(kRunsSchema) +
                             "\", as 'splitbench store export' writes it, and a list of runs");
}

}  // namespace

Json to_json(const StoredRun& stored) {
  Json sessions = Json::array();
  for (const SessionRecord& session : stored.sessions) sessions.push_back(to_json(session));
  Json rounds = Json::array();
  for (const RoundRecord& round : stored.rounds) rounds.push_back(to_json(round));
  Json forecasts = Json::array();
  for (const auto& [count, document] : stored.forecasts) {
    forecasts.push_back({{"sessions", count}, {"document", document}});
  }
  Json marks = Json::array();
  for (const Mark& mark : stored.marks) marks.push_back(to_json(mark));
  Json run = spelled({{"run", to_json(stored.run)},
                      {"outcome", name(stored.outcome)},
                      {"sessions", std::move(sessions)},
                      {"rounds", std::move(rounds)},
                      {"forecasts", std::move(forecasts)},
                      {"result", stored.document ? Json(*stored.document) : Json(nullptr)},
                      {"marks", std::move(marks)}});
  run["checksum"] = checksum_text(run.dump());
  return run;
}

std::vector<StoredRun> runs_from_text(const std::string& text, const std::string& source) {
  Json document = parsed(text, source);
  std::vector<StoredRun> runs;
  for (Json& run : document["runs"]) {
    const auto fail = [&](const char* what) {
      throw InvalidInput("", source + ": /runs/" + std::to_string(runs.size()) + ": " + what);
    };
    try {
      check_contents(run);
      runs.push_back(stored_run(unspelled(std::move(run))));
    } catch (const Json::exception& error) {
      fail(error.what());
    } catch (const InvalidInput& error) {
      fail(error.what());
    } catch (const BadDocument& error) {
      fail(error.what());
    }
  }
  return runs;
}

}  // namespace splitbench
