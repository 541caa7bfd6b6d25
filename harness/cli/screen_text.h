// Numbers and sentences as a screen of 80 columns shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/statistics.h"

namespace splitbench::cli {

inline constexpr std::size_t kColumns = 80;

// Of every line what may be shown anywhere: no control character but tabs, no colour; and as the
// log of a CI service takes a line that begins with "::" for a command, blanks before it or not,
// that is shown as ": :".
std::string shown_lines(std::string_view text);

// `head` and then `text`, broken at spaces so that no line is longer than 80; further lines are
// indented by `indent`. A word longer than a line is cut. Control characters of `text` become
// blanks: a line end in it begins no line.
std::string wrapped(std::string_view head, std::string_view text, std::size_t indent);

std::string upper(std::string_view text);
// "1 token", "2 tokens".
std::string counted(long long count, std::string_view noun);

enum class Unit { seconds, bytes, bytes_per_second, ratio, factor };

// "9.22 ms [9.10, 9.31]": three significant digits, one more where the interval is narrower than
// they show; both in one unit. "1.84x [1.80, 1.88]" for a factor.
std::string number_text(double value, std::optional<Interval> interval, Unit unit);

// "+0.3 % [-0.1, +0.4]", from shares; whole numbers where an end is 100 % or more.
std::string percent_text(double share, std::optional<Interval> interval);

// "+0.5 ms".
std::string signed_seconds(double seconds);

}  // namespace splitbench::cli
