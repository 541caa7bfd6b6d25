// An answer that may not exist: a value, or the reason why there is none. Undefined is not zero.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace splitbench {

template <class T>
class Answer {
 public:
  Answer(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  static Answer none(std::string reason) {  // NOLINT(performance-unnecessary-value-param): moved
    Answer answer;
    answer.reason_ = std::move(reason);
    return answer;
  }

  bool has_value() const { return value_.has_value(); }
  explicit operator bool() const { return has_value(); }

  // Throws std::bad_optional_access when there is none.
  const T& value() const { return value_.value(); }
  const T& operator*() const { return value_.value(); }
  const T* operator->() const { return &value_.value(); }
  // Why there is no value; empty when there is one.
  const std::string& reason() const { return reason_; }

 private:
  Answer() = default;

  std::optional<T> value_;
  std::string reason_;
};

}  // namespace splitbench
