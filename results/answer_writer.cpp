#include "results/answer_writer.h"

#include <cmath>

namespace splitbench {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Json json_value(double number) {
  return std::isfinite(number) ? Json(number) : Json(nullptr);
}

Json json_value(Interval interval) {
  return Json::array({json_value(interval.low), json_value(interval.high)});
}

Json json_value(const RealSet& set) {
  Json parts = Json::array();
  for (const Interval& part : set.parts) parts.push_back(json_value(part));
  return parts;
}

void AnswerWriter::write_none(std::string_view key, std::string_view reason) {
  object_[std::string(key)] = nullptr;
  give_reason(key, reason);
}

void AnswerWriter::write_estimate(std::string_view key, const Answer<Estimate>& estimate) {
  if (!estimate) return write_none(key, estimate.reason());
  Json& pair = object_[std::string(key)] = Json::object();
  AnswerWriter(pair, reasons_, path_ + std::string(key) + ".")
      .write_apart("value", "interval", estimate);
}

void AnswerWriter::write_apart(std::string_view key, std::string_view interval_key,
                               const Answer<Estimate>& estimate) {
  if (!estimate) {
    write_none(key, estimate.reason());
    write_none(interval_key, estimate.reason());
    return;
  }
  object_[std::string(key)] = json_value(estimate->value);
  write(interval_key, estimate->interval);
}

void AnswerWriter::give_reason(std::string_view key, std::string_view reason) {
  reasons_[path_ + std::string(key)] = std::string(reason);
}

}  // namespace splitbench
