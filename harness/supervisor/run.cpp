#include "harness/supervisor/run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>

#include "harness/preflight/preflight.h"
#include "harness/supervisor/supervisor.h"
#include "harness/version.h"
#include "model/random.h"
#include "protocols/budget.h"
#include "results/forecast_document.h"
#include "results/stopping_rule.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

Seconds since(Clock::time_point begin) {
  return Seconds(std::chrono::duration<double>(Clock::now() - begin).count());
}

// Wrong results end a run: no time of it counts.
class WrongData : public HarnessError {
 public:
  using HarnessError::HarnessError;
};

// A fault and the line that mends it: "no room; to mend it: ...".
std::string one_sentence(std::string_view lines) {
  std::string sentence;
  bool begins = false;
  for (const char c : lines) {
    if (c == '\n') {
      begins = true;
    } else if (begins) {
      sentence += "; ";
      sentence += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      begins = false;
    } else {
      sentence += c;
    }
  }
  return sentence;
}

std::string first_failure(const SessionRecord& session, const Protocol& protocol) {
  for (std::size_t point = 0; point < session.correctness.size(); ++point) {
    const Correctness& correctness = session.correctness[point];
    if (correctness.passed()) continue;
    const Operation& op = protocol.points.at(point);
    return fmt::format("wrong results at {} tokens, d_model {}, d_ff {}: {}", op.tokens, op.d_model,
                       op.d_ff, correctness.failure);
  }
  return {};
}

class Run {
 public:
  Run(const RunRequest& request, Store& store, const Interruption& interruption,
      RunListener& listener)
      : request_(request),
        store_(store),
        interruption_(interruption),
        listener_(listener),
        record_(make_record(request)) {}

  RunEnd carry_out() {
    store_.begin_run(record_, marks());
    RunEnd end{.id = record_.id, .outcome = RunOutcome::partial, .fault = {}};
    try {
      listener_.begun(record_);
      run_sessions(end);
    } catch (const WrongData& error) {
      end.fault = error.what();
      end.outcome = RunOutcome::invalid;
    } catch (const std::exception& error) {
      end.fault = error.what();
    }
    end.fault = one_sentence(end.fault);
    if (!end.fault.empty()) remember(end.fault);
    end.signal = interruption_.signal();
    return end;
  }

 private:
  // From its beginning on: a run that confirms another is in no series, however it ends.
  std::vector<Mark> marks() const {
    if (request_.confirms.empty()) return {};
    return {{.kind = MarkKind::confirms,
             .marked_utc = record_.provenance.started_utc,
             .author = "splitbench gate --confirm",
             .reason = request_.confirms}};
  }

  void run_sessions(RunEnd& end) {
    for (int session = 0; session < record_.protocol.sampling.sessions; ++session) {
      listener_.session_begins(session, static_cast<int>(record_.protocol.sampling.sessions));
      const SessionEnd session_end = run_one(session);
      if (session_end.interrupted) {
        end.fault = "interrupted";
        return;
      }
      if (!session_end.fault.empty()) {
        end.fault = fmt::format("session {}: {}", session + 1, session_end.fault);
        return;
      }
      store_.save_session(record_.id, session_end.record);
      require_right_results(session_end.record);
      if (decided(static_cast<std::size_t>(session) + 1)) break;
    }
    end.outcome = RunOutcome::complete;
  }

  void require_right_results(const SessionRecord& session) const {
    const std::string failure = first_failure(session, record_.protocol);
    if (!failure.empty()) throw WrongData(failure);
  }

  // At a look of a protocol that declares them: is every prediction judged?
  bool decided(std::size_t sessions) {
    const Protocol& protocol = record_.protocol;
    if (!protocol.acceptance.early_stopping || !is_look(sessions)) return false;
    if (sessions >= static_cast<std::size_t>(protocol.sampling.sessions)) return false;
    const StoredRun stored = store_.load_run(record_.id);
    const auto forecast = stored_forecast(store_, stored);
    if (!stopping_rule(stored, forecast).decided()) return false;
    record_.notes.push_back(fmt::format(
        "ended at the look at {} of {} sessions, as the protocol declares: every prediction is "
        "judged",
        sessions, protocol.sampling.sessions));
    store_.update_run(record_);
    return true;
  }

  // With the record, so that any later analysis knows it too.
  void remember(const std::string& fault) {
    record_.notes.push_back("ended early: " + fault);
    try {
      store_.update_run(record_);
    } catch (const StoreError&) {
      // The store is what failed, and the fault says so already.
    }
  }

  SessionEnd run_one(int session) {
    const Clock::time_point begin = Clock::now();
    Seconds until_ready{};
    bool ready = false;
    const SessionEvents events{.preparing =
                                   [&](const std::string& doing) {
                                     listener_.preparing(doing);
                                     if (!ready) warn_of_budget(session, since(begin));
                                   },
                               .ready =
                                   [&](const SessionRecord& record) {
                                     ready = true;
                                     until_ready = since(begin);
                                     warn_of_budget(session, until_ready);
                                     store_.save_session(record_.id, record);
                                     require_right_results(record);
                                     if (session == 0) {
                                       choices_ = record.choices;
                                       verified_ = record.correctness;
                                     }
                                   },
                               .calibrated =
                                   [&](const Calibrated& known) {
                                     if (session == 0) fit(known, until_ready);
                                     return record_.protocol;
                                   },
                               .round =
                                   [&](const RoundRecord& round) {
                                     store_.save_round(record_.id, round);
                                     listener_.round_stored(round.session, round.round);
                                   }};
    return supervise(request_.choice.survey.needs,
                     {.module = request_.choice.module,
                      .request = request_.devices,
                      .protocol = record_.protocol,
                      .seed = record_.protocol.seed,
                      .launch = record_.launch,
                      .session = session,
                      .pinned = choices_,
                      .verified = verified_,
                      .patience = request_.patience},
                     events, interruption_);
  }

  // As soon as it is known that preparing and verifying once take the time there is for all: say so
  // once.
  void warn_of_budget(int session, Seconds so_far) {
    const Seconds budget = record_.protocol.sampling.budget;
    if (session > 0 || over_budget_ || so_far <= budget) return;
    over_budget_ = true;
    record_.notes.push_back(fmt::format(
        "preparing and verifying alone take more than the budget of {:g} s", budget.value()));
    store_.update_run(record_);
    listener_.noted(record_.notes.back());
  }

  // Once it is known how long things take here: drop what the budget does not hold, and say so. The
  // others start as the first did, but compare what they compute with what it verified.
  void fit(const Calibrated& known, Seconds until_ready) {
    FittedProtocol fitted =
        fit_to_budget(record_.protocol,
                      {.step = [&](const Step& step) { return known.costs.of(step); },
                       .session = until_ready - known.first_verification + 2.0 * known.verification,
                       .once = known.first_verification},
                      record_.protocol.sampling.budget);
    record_.protocol = std::move(fitted.protocol);
    for (std::string& sentence : fitted.dropped) record_.notes.push_back(std::move(sentence));
    if (!fitted.fits) {
      record_.notes.push_back(
          fmt::format("takes about {:.0f} s, more than the budget of {:g} s: "
                      "fewer sessions and rounds give no dependable verdict",
                      fitted.estimated.value(), record_.protocol.sampling.budget.value()));
    }
    store_.update_run(record_);
    listener_.calibrated(record_, fitted.estimated);
  }

  const RunRequest& request_;
  Store& store_;
  const Interruption& interruption_;
  RunListener& listener_;
  RunRecord record_;
  nlohmann::ordered_json choices_ = nullptr;  // of the first session
  std::vector<Correctness> verified_;         // in the first session
  bool over_budget_ = false;
};

}  // namespace

RunRecord make_record(const RunRequest& request) {
  const std::time_t now = std::time(nullptr);
  const auto fraction = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  const std::uint64_t unique = mix64(fraction ^ (static_cast<std::uint64_t>(getpid()) << 40));
  RunRecord run;
  run.id = fmt::format("{:%Y%m%d-%H%M%S}-{:04x}", fmt::gmtime(now), unique & 0xffff);
  run.protocol = request.protocol;
  run.node = request.choice.survey.node;
  run.launch = request.protocol.launch == Launch::automatic ? request.choice.survey.best_launch
                                                            : request.protocol.launch;
  run.provenance = {.version = std::string(version()),
                    .commit = std::string(commit()),
                    .started_utc = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now)),
                    .seed = request.protocol.seed,
                    .command = request.command};
  run.preflight = request.preflight;
  run.notes = notes_of(request.preflight);
  run.price_per_hour = request.price_per_hour;
  return run;
}

void require_file_descriptors(int processes) {
  // Pipes and shared memory of the ranks beside what the supervisor holds itself.
  const auto needed = 32 + 8 * static_cast<rlim_t>(processes);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return;
  throw CannotRunHere(
      fmt::format("this run needs {} open files, the limit here is {}", needed, limit.rlim_cur),
      fmt::format("ulimit -n {}", needed));
}

nlohmann::ordered_json stored_forecast(Store& store, const StoredRun& stored) {
  const auto sessions = static_cast<std::int64_t>(stored.sessions.size());
  const auto found = stored.forecasts.find(sessions);
  if (found != stored.forecasts.end()) return nlohmann::ordered_json::parse(found->second);
  const std::string text = forecast_document(stored.run, stored.sessions, stored.rounds).dump();
  store.save_forecast(stored.run.id, sessions, text);
  return nlohmann::ordered_json::parse(text);
}

RunEnd carry_out(const RunRequest& request, Store& store, const Interruption& interruption,
                 RunListener& listener) {
  return Run(request, store, interruption, listener).carry_out();
}

}  // namespace splitbench
