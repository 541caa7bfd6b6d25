// Answers as members of a JSON object: what has no answer is null, and the reason why stands under
// the member's path in an object of reasons.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "model/answer.h"
#include "model/quantity.h"
#include "model/root_set.h"
#include "model/statistics.h"

namespace splitbench {

// In base units; an end of a set that is infinite is null, for JSON has no infinity.
nlohmann::ordered_json json_value(double number);
inline nlohmann::ordered_json json_value(int count) {
  return count;
}
nlohmann::ordered_json json_value(Interval interval);   // [low, high]
nlohmann::ordered_json json_value(const RealSet& set);  // [[low, high], ...]
template <class Unit>
nlohmann::ordered_json json_value(Quantity<Unit> quantity) {
  return json_value(quantity.value());
}

class AnswerWriter {
 public:
  // `path` stands before every key in `reasons`: "parameters." for parameters.latency_s.
  AnswerWriter(nlohmann::ordered_json& object, nlohmann::ordered_json& reasons,
               std::string path = "")
      : object_(object), reasons_(reasons), path_(std::move(path)) {}

  template <class T>
  void write(std::string_view key, const Answer<T>& answer) {
    if (answer) {
      object_[std::string(key)] = json_value(*answer);
    } else {
      write_none(key, answer.reason());
    }
  }
  void write_none(std::string_view key, std::string_view reason);

  // {value, interval}, or null.
  void write_estimate(std::string_view key, const Answer<Estimate>& estimate);
  // The value under one key, its interval under the other.
  void write_apart(std::string_view key, std::string_view interval_key,
                   const Answer<Estimate>& estimate);

  // Why something is null that was written otherwise.
  void give_reason(std::string_view key, std::string_view reason);

 private:
  nlohmann::ordered_json& object_;
  nlohmann::ordered_json& reasons_;
  std::string path_;
};

}  // namespace splitbench
