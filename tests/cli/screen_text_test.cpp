// How numbers and sentences look on a screen of 80 columns. Expected texts are written by hand.
#include "harness/cli/screen_text.h"

#include <gtest/gtest.h>

#include "harness/cli/budget_bar.h"

namespace splitbench::cli {
namespace {

TEST(NumberText, HasThreeSignificantDigitsAndOneUnit) {
  EXPECT_EQ(number_text(9.22e-3, Interval{9.104e-3, 9.312e-3}, Unit::seconds),
            "9.22 ms [9.10, 9.31]");
  EXPECT_EQ(number_text(128.4e-6, Interval{97e-6, 1.1e-3}, Unit::seconds), "128 us [97, 1100]");
  EXPECT_EQ(number_text(10e9, std::nullopt, Unit::bytes_per_second), "10.0 GB/s");
  EXPECT_EQ(number_text(1.8412, Interval{1.799, 1.882}, Unit::factor), "1.84x [1.80, 1.88]");
  EXPECT_EQ(number_text(0.8, std::nullopt, Unit::ratio), "0.800");
  EXPECT_EQ(number_text(0.0, std::nullopt, Unit::seconds), "0 ns");
}

TEST(NumberText, TakesTheUnitOfTheRoundedNumber) {
  EXPECT_EQ(number_text(999.7e-6, std::nullopt, Unit::seconds), "1.00 ms");
  EXPECT_EQ(number_text(999.4e-6, std::nullopt, Unit::seconds), "999 us");
  EXPECT_EQ(number_text(9.996, std::nullopt, Unit::factor), "10.0x");
}

TEST(NumberText, ShowsOneDigitMoreWhereTheIntervalIsNarrow) {
  EXPECT_EQ(number_text(128.43e-6, Interval{128.21e-6, 128.64e-6}, Unit::seconds),
            "128.4 us [128.2, 128.6]");
  EXPECT_EQ(number_text(128.43e-6, Interval{128.43e-6, 128.43e-6}, Unit::seconds),
            "128 us [128, 128]");
}

TEST(PercentText, AlwaysHasASign) {
  EXPECT_EQ(percent_text(0.0312, Interval{-0.001, 0.0626}), "+3.1 % [-0.1, +6.3]");
  EXPECT_EQ(percent_text(-0.25, std::nullopt), "-25.0 %");
  EXPECT_EQ(percent_text(0.631, Interval{0.246, 1.135}), "+63 % [+25, +114]");
}

TEST(PercentText, NothingHasNoSign) {
  EXPECT_EQ(percent_text(-0.0004, std::nullopt), "0.0 %");
  EXPECT_EQ(percent_text(0.0, Interval{-0.0004, 0.002}), "0.0 % [0.0, +0.2]");
}

TEST(SignedSeconds, AlwaysHasASign) {
  EXPECT_EQ(signed_seconds(0.5e-3), "+500 us");
  EXPECT_EQ(signed_seconds(-2e-3), "-2.00 ms");
}

TEST(Wrapped, BreaksAtSpacesAndIndents) {
  const std::string word(30, 'x');
  EXPECT_EQ(wrapped("head ", word + " " + word + " " + word, 4),
            "head " + word + " " + word + "\n    " + word + "\n");
  EXPECT_EQ(wrapped("head", "", 4), "head\n");
}

TEST(Wrapped, CutsAWordThatIsLongerThanALine) {
  EXPECT_EQ(wrapped("- ", std::string(100, 'x'), 2), "- " + std::string(78, 'x') + "\n");
}

// A name may hold anything; GitHub's runner trims a line before it looks for "::".
TEST(ShownLines, HoldNothingThatATerminalOrACiServiceObeys) {
  EXPECT_EQ(shown_lines("one\ntwo\n"), "one\ntwo\n");
  EXPECT_EQ(shown_lines("\x1b[31mred\x1b[0m \x07\r\x7f"), "red    ");
  EXPECT_EQ(shown_lines("a ::b\n::error::x\n  ::warning::y"),
            "a ::b\n: :error::x\n  : :warning::y");
  EXPECT_EQ(shown_lines(""), "");
}

// Of 52 columns for 4 s, 1 s takes 13.
TEST(BudgetRows, AreToTheScaleOfTheLongest) {
  EXPECT_EQ(budget_rows({{"one", {{'a', Seconds(4)}}, "4 s"},
                         {"two", {{'b', Seconds(1)}, {'c', Seconds(1)}}, "2 s"}}),
            "  one        |" + std::string(52, 'a') + "| 4 s\n" + "  two        |" +
                std::string(13, 'b') + std::string(13, 'c') + std::string(26, ' ') + "| 2 s\n");
}

}  // namespace
}  // namespace splitbench::cli
