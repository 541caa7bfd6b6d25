#include "results/result_document.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "model/analysis.h"
#include "model/wire.h"
#include "results/analysis_json.h"
#include "results/answer_writer.h"
#include "results/correctness.h"
#include "results/counted_rounds.h"
#include "results/criteria.h"
#include "results/forecast_document.h"
#include "results/health_json.h"
#include "results/point_samples.h"
#include "results/record_json.h"
#include "results/result_head.h"

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kWrong = "a check failed: no number of this run counts";
constexpr std::string_view kTooLarge = "the operation does not fit on one device";

Json rounds_json(const std::vector<RoundRecord>& rounds, const Sampling& sampling) {
  std::size_t counted = 0;
  Json voided = Json::array();
  for (const RoundRecord& round : rounds) {
    if (round.void_reason.empty()) {
      ++counted;
    } else {
      voided.push_back(
          {{"session", round.session}, {"round", round.round}, {"reason", round.void_reason}});
    }
  }
  return {{"planned", sampling.sessions * sampling.rounds},
          {"counted", counted},
          {"sessions", counted_sessions(rounds)},
          {"void", std::move(voided)}};
}

// The commonest reason, the first where several are.
std::string commonest_void_reason(const std::vector<RoundRecord>& rounds) {
  std::map<std::string, int> counts;
  for (const RoundRecord& round : rounds) ++counts[round.void_reason];
  const auto rarer = [&counts](const RoundRecord& a, const RoundRecord& b) {
    return counts[a.void_reason] < counts[b.void_reason];
  };
  return std::max_element(rounds.begin(), rounds.end(), rarer)->void_reason;
}

// Why no number of the run counts; nothing where one may.
std::optional<std::string> void_reason(const RunRecord& run,
                                       const std::vector<SessionRecord>& sessions,
                                       const std::vector<RoundRecord>& rounds, RunOutcome outcome) {
  for (const CheckResult& check : run.preflight) {
    if (check.status != CheckStatus::fail) continue;
    return "nothing was timed: check " + check.check + " failed: " + check.seen;
  }
  if (outcome == RunOutcome::invalid || any_check_failed(sessions)) return std::string(kWrong);
  if (rounds.empty() || counted_sessions(rounds) > 0) return std::nullopt;
  return "no round counts, most often because " + commonest_void_reason(rounds);
}

// Every check of the point in one: passed where all did, with the largest error of any session.
std::optional<Correctness> all_checks(const std::vector<SessionRecord>& sessions,
                                      std::size_t point) {
  std::optional<Correctness> all;
  for (const SessionRecord& session : sessions) {
    if (session.correctness.size() <= point) continue;
    const Correctness& one = session.correctness[point];
    all = all ? worst_of(*all, one) : one;
  }
  return all;
}

// The most that each rank's process held in any session.
Json memory_json(const std::vector<SessionRecord>& sessions) {
  std::vector<std::int64_t> peaks;
  for (const SessionRecord& session : sessions) {
    peaks.resize(std::max(peaks.size(), session.memory_peak.size()));
    for (std::size_t rank = 0; rank < session.memory_peak.size(); ++rank) {
      peaks[rank] =
          std::max(peaks[rank], static_cast<std::int64_t>(session.memory_peak[rank].value()));
    }
  }
  return peaks;
}

// Of the first session that made any; later ones are told to make the same.
Json first_choices(const std::vector<SessionRecord>& sessions, std::size_t point) {
  for (const SessionRecord& session : sessions) {
    if (session.choices.size() > point) return session.choices[point];
  }
  return Json::object();
}

// What the stand-ins say of themselves, session by session.
Json stand_in_json(const std::vector<SessionRecord>& sessions) {
  Json list = Json::array();
  for (const SessionRecord& session : sessions) {
    if (!session.stand_in.is_null()) {
      list.push_back({{"session", session.session}, {"truth", session.stand_in}});
    }
  }
  return {{"sessions", std::move(list)}};
}

Json correctness_json(const std::optional<Correctness>& correctness, Json& reasons) {
  if (!correctness) {
    reasons["correctness"] = "no session left a record of its checks";
    return nullptr;
  }
  Json checks = to_json(*correctness);
  for (const char* key : {"max_error", "error_bound"}) {
    if (std::isfinite(checks[key].get<double>())) continue;
    AnswerWriter(checks, reasons, "correctness.").write_none(key, "not a finite number");
  }
  if (correctness->checksum.empty()) {
    reasons["correctness.checksum"] = "not taken, or not the same in every session";
  }
  return checks;
}

void write_nothing(Json& point, Json& reasons, const std::string& why) {
  AnswerWriter answers(point, reasons);
  for (const char* section : {"arms", "collective_sweep", "parameters", "predicted", "measured",
                              "comparison", "attribution", "fit_attribution"}) {
    answers.write_none(section, why);
  }
}

// What follows from an operation too large for one device says so, and not that it was not
// measured.
void explain_too_large(Json& reasons) {
  for (const char* path :
       {"arms.full", "arms.unsplit", "arms.twin", "parameters.compute_s", "parameters.efficiency",
        "predicted.t1_s", "predicted.speedup", "predicted.speedup_interval", "measured.t1_s",
        "measured.t1_interval_s", "measured.speedup", "measured.parallel_efficiency",
        "measured.parallel_efficiency_interval", "cost.one_device_per_million_tokens",
        "cost.ratio"}) {
    if (reasons.contains(path)) reasons[path] = kTooLarge;
  }
}

// A note, where some arm is not.
void note_unsteady(const Json& arms, Json& notes) {
  std::string names;
  for (const auto& [name, arm] : arms.items()) {
    if (arm.is_null() || arm["steady"] != false) continue;
    names += (names.empty() ? "" : ", ") + name;
  }
  if (names.empty()) return;
  notes.push_back(
      "not steady: from the first to the last rounds of a session these still change: " + names +
      "; more warm-up rounds, or a quieter machine");
}

Json point_notes(const Json& forecast, const PointJudgement& judgement,
                 const std::optional<Correctness>& correctness) {
  Json notes = forecast["notes"];
  for (const std::string& note : judgement.notes) notes.push_back(note);
  if (correctness && !correctness->ranks_agree) {
    notes.push_back("after the collective the ranks' outputs differ in some bits");
  }
  if (correctness && !correctness->bound_informative) {
    notes.push_back(
        "the error bound of random data is not informative at this size: the exact checks count");
  }
  return notes;
}

// `forecast`: what was said of the point before anything was compared.
void write_analysis(Json& point, Json& reasons, const Json& forecast, const PointSamples& samples,
                    const std::optional<Correctness>& correctness, const RunRecord& run) {
  const AcceptanceCriteria accept = criteria(run.protocol, samples.parameters.sessions.size());
  for (const char* section : {"arms", "collective_sweep", "parameters", "predicted"}) {
    point[section] = forecast.at(section);
  }
  reasons.update(forecast.at("reasons"));
  PointJudgement judgement = judge(forecast_prediction(forecast, accept.confidence),
                                   forecast_device(forecast), samples.validation, accept);
  if (!run.node.no_verdict.empty()) {
    judgement.split = {.outcome = SplitOutcome::inconclusive, .reason = run.node.no_verdict};
  }
  point["arms"].update(arms_json(judgement.arms, accept.least_effect, reasons));
  point["measured"] = measured_json(judgement.measured, run.protocol.ranks, reasons);
  if (run.price_per_hour) {
    point["cost"] =
        cost_json(judgement.measured, run.protocol.ranks,
                  point["operation"]["tokens"].get<std::int64_t>(), *run.price_per_hour, reasons);
  }
  point["comparison"] = comparison_json(judgement, reasons);
  point["attribution"] = attribution_json(judgement.point.attribution, "attribution", reasons);
  point["fit_attribution"] =
      attribution_json(judgement.from_fit.attribution, "fit_attribution", reasons);
  if (!samples.validation.fits_one_device) explain_too_large(reasons);
  point["notes"] = point_notes(forecast, judgement, correctness);
  note_unsteady(point["arms"], point["notes"]);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

Json notes_json(const RunRecord& run, const std::vector<SessionRecord>& sessions_seen,
                const std::vector<RoundRecord>& judged, const Json& rounds, RunOutcome outcome) {
  std::vector<std::string> notes = run.notes;
  if (!run.node.no_verdict.empty()) notes.insert(notes.begin(), run.node.no_verdict);
  notes.insert(notes.end(), run.node.notes.begin(), run.node.notes.end());
  for (const SessionRecord& session : sessions_seen) {
    if (session.warmed_up) continue;
    notes.push_back("not steady: in session " + std::to_string(session.session + 1) +
                    " times still changed after " + std::to_string(session.warm_up_rounds) +
                    " rounds of warm-up");
  }
  const std::vector<std::string> of_health = health_notes(sessions_seen, judged);
  notes.insert(notes.end(), of_health.begin(), of_health.end());
  const auto count = rounds["counted"].get<std::size_t>();
  const auto sessions = rounds["sessions"].get<std::size_t>();
  if (outcome == RunOutcome::partial) {
    notes.push_back("ended early: " + counted(count, "round", "rounds") + " of " +
                    std::to_string(rounds["planned"].get<std::size_t>()) + " count");
  }
  if (const std::size_t voided = rounds["void"].size(); voided > 0) {
    notes.push_back(counted(voided, "round is", "rounds are") + " void, first because " +
                    rounds["void"][0]["reason"].get<std::string>());
  }
  if (sessions_seen.empty() && outcome == RunOutcome::invalid) return notes;  // nothing was timed
  if (sessions < static_cast<std::size_t>(kVerdictSessions)) {
    notes.push_back("a dependable verdict takes " + std::to_string(kVerdictSessions) +
                    " sessions, this one has " + std::to_string(sessions));
  } else if (count < sessions * static_cast<std::size_t>(kVerdictRounds)) {
    notes.push_back("a dependable verdict takes " + std::to_string(kVerdictRounds) +
                    " rounds in each session, some here have fewer");
  }
  return notes;
}

}  // namespace

Json result_document(const RunRecord& run, const std::vector<SessionRecord>& sessions,
                     std::vector<RoundRecord> rounds, RunOutcome outcome) {
  const Json forecast = forecast_document(run, sessions, rounds);
  return result_document(run, sessions, std::move(rounds), outcome, forecast);
}

Json result_document(const RunRecord& run, const std::vector<SessionRecord>& sessions,
                     std::vector<RoundRecord> rounds, RunOutcome outcome, const Json& forecast) {
  const Protocol& protocol = run.protocol;
  const std::vector<RoundRecord> judged =
      with_void_reasons(std::move(rounds), sessions, protocol.points.size());
  const std::optional<std::string> nothing = void_reason(run, sessions, judged, outcome);
  if (nothing) outcome = RunOutcome::invalid;
  const Json counts = rounds_json(judged, protocol.sampling);

  Json document =
      document_head(run, outcome, notes_json(run, sessions, judged, counts, outcome), counts);
  document["points"] = Json::array();

  const std::vector<PointSamples> samples =
      nothing ? std::vector<PointSamples>() : point_samples(protocol, judged);
  const Json memory = memory_json(sessions);
  for (std::size_t index = 0; index < protocol.points.size(); ++index) {
    const std::optional<Correctness> correctness = all_checks(sessions, index);
    Json point = point_head(run, protocol.points[index], memory, first_choices(sessions, index));
    Json reasons = Json::object();
    point["correctness"] = correctness_json(correctness, reasons);
    if (nothing) {
      write_nothing(point, reasons, *nothing);
      point["notes"] = Json::array();
    } else {
      write_analysis(point, reasons, forecast.at("points").at(index), samples[index], correctness,
                     run);
    }
    point["reasons"] = std::move(reasons);
    document["points"].push_back(std::move(point));
  }
  if (run.node.times_are == TimesAre::stand_in) document["stand_in"] = stand_in_json(sessions);
  document["health"] = health_json(sessions, judged);
  document["reasons"] = document_reasons(run);
  return document;
}

}  // namespace splitbench
