// Edit distances worked by hand.
#include "protocols/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

namespace splitbench {
namespace {

constexpr std::array<std::string_view, 4> kKeys{"sessions", "rounds", "block_min_s", "block_max_s"};

TEST(Suggestion, NamesTheNearestWord) {
  EXPECT_EQ(suggestion("sesions", kKeys), "; did you mean 'sessions'?");         // one insertion
  EXPECT_EQ(suggestion("round", kKeys), "; did you mean 'rounds'?");             // one insertion
  EXPECT_EQ(suggestion("block_mix_s", kKeys), "; did you mean 'block_min_s'?");  // 1, max also 1
  EXPECT_EQ(suggestion("blok_maxs", kKeys), "; did you mean 'block_max_s'?");    // two insertions
  EXPECT_EQ(suggestion("ronuds", kKeys), "; did you mean 'rounds'?");  // two substitutions
}

TEST(Suggestion, SaysNothingWhereNothingIsNear) {
  EXPECT_EQ(suggestion("colour", kKeys), "");  // to "rounds": 5 of 6
  EXPECT_EQ(suggestion("sess", kKeys), "");    // to "sessions": 4, a third of 4 is 1
  EXPECT_EQ(suggestion("", kKeys), "");
}

TEST(Suggestion, DoesNotCompareVeryLongWords) {
  const std::string key(1000, 's');
  const std::array<std::string_view, 1> same{key};
  EXPECT_EQ(suggestion(key, same), "");
}

}  // namespace
}  // namespace splitbench
