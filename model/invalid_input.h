// What the model says of numbers it cannot work with.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace splitbench {

// Thrown where a caller passes numbers outside a formula's domain. `field` is the name of the
// member, so that a command line or a document can say which of its own names was wrong.
class InvalidInput : public std::invalid_argument {
 public:
  InvalidInput(std::string field, const std::string& message)
      : std::invalid_argument(message), field_(std::move(field)) {}

  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

}  // namespace splitbench
