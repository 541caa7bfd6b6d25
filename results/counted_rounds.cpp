#include "results/counted_rounds.h"

#include <algorithm>
#include <map>
#include <set>

namespace splitbench {
namespace {

bool verified(const std::vector<SessionRecord>& sessions, int session, std::size_t points) {
  return std::any_of(sessions.begin(), sessions.end(), [&](const SessionRecord& record) {
    return record.session == session && record.correctness.size() >= points;
  });
}

// Sessions of whose rounds more than half are void: what is left of them is no fair sample.
std::set<int> mostly_void(const std::vector<RoundRecord>& rounds) {
  std::map<int, int> balance;  // of void rounds over those that count
  for (const RoundRecord& round : rounds) {
    balance[round.session] += round.void_reason.empty() ? -1 : 1;
  }
  std::set<int> sessions;
  for (const auto& [session, surplus] : balance) {
    if (surplus > 0) sessions.insert(session);
  }
  return sessions;
}

}  // namespace

bool any_check_failed(const std::vector<SessionRecord>& sessions) {
  return std::any_of(sessions.begin(), sessions.end(), [](const SessionRecord& session) {
    const auto& checks = session.correctness;
    return std::any_of(checks.begin(), checks.end(),
                       [](const Correctness& check) { return !check.passed(); });
  });
}

std::vector<RoundRecord> with_void_reasons(std::vector<RoundRecord> rounds,
                                           const std::vector<SessionRecord>& sessions,
                                           std::size_t points) {
  for (RoundRecord& round : rounds) {
    if (round.void_reason.empty() && !verified(sessions, round.session, points)) {
      round.void_reason = "its session left no record of its checks";
    }
  }
  const std::set<int> lost = mostly_void(rounds);
  for (RoundRecord& round : rounds) {
    if (round.void_reason.empty() && lost.contains(round.session)) {
      round.void_reason = "more than half of the rounds of its session are void";
    }
  }
  return rounds;
}

std::size_t counted_sessions(const std::vector<RoundRecord>& rounds) {
  std::set<int> sessions;
  for (const RoundRecord& round : rounds) {
    if (round.void_reason.empty()) sessions.insert(round.session);
  }
  return sessions.size();
}

}  // namespace splitbench
