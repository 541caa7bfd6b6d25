#include "results/run_archive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "model/invalid_input.h"
#include "results/checksum.h"
#include "results/json_text.h"
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

// `place`: a JSON pointer below the run.
[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw InvalidInput("", place + ": " + what);
}

// Carries out `read` on what stands there.
template <class Read>
auto part(const std::string& place, const char* expected, Read read) {
  try {
    return read();
  } catch (const Json::exception&) {
    fail(place, std::string("expected ") + expected + ", as 'splitbench store export' writes it");
  } catch (const InvalidInput& error) {
    fail(place, error.what());
  } catch (const BadDocument& error) {
    fail(place, error.what());
  }
}

template <class Read>
auto list(const Json& run, const std::string& key, const char* expected, Read read) {
  const std::string place = "/" + key;
  if (!run.contains(key) || !run[key].is_array()) fail(place, "expected a list");
  std::vector<decltype(read(run))> all;
  for (const Json& entry : run[key]) {
    all.push_back(
        part(place + "/" + std::to_string(all.size()), expected, [&] { return read(entry); }));
  }
  return all;
}

using ForecastText = std::pair<std::int64_t, std::string>;

ForecastText forecast_from_json(const Json& forecast) {
  return {forecast.at("sessions").get<std::int64_t>(), forecast.at("document").get<std::string>()};
}

StoredRun stored_run(const Json& run) {
  StoredRun stored;
  stored.run = part("/run", "a run", [&] { return run_from_json(run.at("run")); });
  stored.sessions = list(run, "sessions", "a session", session_from_json);
  stored.rounds = list(run, "rounds", "a round", round_from_json);
  for (ForecastText& forecast : list(run, "forecasts", "a forecast", forecast_from_json)) {
    stored.forecasts.insert(std::move(forecast));
  }
  stored.outcome = part("/outcome", "complete, partial or void",
                        [&] { return run_outcome(run.at("outcome").get<std::string>()); });
  stored.document = part("/result", "a text or null", [&]() -> std::optional<std::string> {
    if (run.at("result").is_null()) return std::nullopt;
    return run["result"].get<std::string>();
  });
  // Not in exports of before there were any.
  if (run.contains("marks")) stored.marks = list(run, "marks", "a mark", mark_from_json);
  return stored;
}

// Takes the checksum out; throws where the rest is not what it is of.
void check_contents(Json& run) {
  if (!run.contains("checksum")) return;  // not in exports of before there were any
  const auto written =
      part("/checksum", "a text", [&] { return run["checksum"].get<std::string>(); });
  run.erase("checksum");
  const std::string found = checksum_text(run.dump());
  if (found == written) return;
  fail("", "this is not what was exported: its checksum is " + written +
               ", that of what stands there is " + found);
}

Json parsed(const std::string& text, const std::string& source) {
  Json document = parse_json(text, source);
  if (document.is_object() && document.value("schema", Json()) == kRunsSchema &&
      document.contains("runs") && document["runs"].is_array()) {
    return document;
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
    try {
      check_contents(run);
      const Json plain = part("", "a run", [&] { return unspelled(std::move(run)); });
      runs.push_back(stored_run(plain));
    } catch (const InvalidInput& error) {
      throw InvalidInput(
          "", source + ": /runs/" + std::to_string(runs.size()) + std::string(error.what()));
    }
  }
  return runs;
}

}  // namespace splitbench
