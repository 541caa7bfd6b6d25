// Small questions put to a list of sessions.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace splitbench {

// The sessions' values that there are, in order. `value` is a member or a function of a session
// that gives a double or an optional one.
template <class Session, class Value>
std::vector<double> present(const std::vector<Session>& sessions, Value value) {
  std::vector<double> values;
  for (const Session& session : sessions) {
    if (const std::optional<double> one = std::invoke(value, session)) values.push_back(*one);
  }
  return values;
}

// The members of both lists that have the same session number, in the order of the first.
template <class A, class B>
std::vector<std::pair<A, B>> paired(const std::vector<A>& first, const std::vector<B>& second) {
  std::vector<std::pair<A, B>> pairs;
  for (const A& a : first) {
    for (const B& b : second) {
      if (a.session == b.session) pairs.emplace_back(a, b);
    }
  }
  return pairs;
}

}  // namespace splitbench
