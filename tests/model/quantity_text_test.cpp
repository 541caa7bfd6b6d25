#include "model/quantity_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/invalid_input.h"

namespace splitbench {
namespace {

TEST(ParseSeconds, EveryUnit) {
  EXPECT_EQ(parse_seconds("250ns").value(), 250e-9);
  EXPECT_EQ(parse_seconds("30us").value(), 30e-6);
  EXPECT_EQ(parse_seconds("30µs").value(), 30e-6);  // micro sign
  EXPECT_EQ(parse_seconds("30μs").value(), 30e-6);  // Greek mu
  EXPECT_EQ(parse_seconds("12ms").value(), 12e-3);
  EXPECT_EQ(parse_seconds("1.5 s").value(), 1.5);
  EXPECT_EQ(parse_seconds("2min").value(), 120);
  EXPECT_EQ(parse_seconds("1h").value(), 3600);
  EXPECT_EQ(parse_seconds("1e-3s").value(), 1e-3);
}

TEST(ParseBytes, DecimalBinaryAndBare) {
  EXPECT_EQ(parse_bytes("2MB").value(), 2e6);
  EXPECT_EQ(parse_bytes("2MiB").value(), 2097152);
  EXPECT_EQ(parse_bytes("2000000").value(), 2e6);
  EXPECT_EQ(parse_bytes("3 KiB").value(), 3072);
  EXPECT_EQ(parse_bytes("1GB").value(), 1e9);
  EXPECT_EQ(parse_bytes("1GiB").value(), 1073741824);
  EXPECT_EQ(parse_bytes("1kB").value(), 1000);
}

TEST(ParseBytesPerSecond, BytesBitsAndInfinity) {
  EXPECT_EQ(parse_bytes_per_second("10GB/s").value(), 1e10);
  EXPECT_EQ(parse_bytes_per_second("1GiB/s").value(), 1073741824);
  EXPECT_EQ(parse_bytes_per_second("100Gbit/s").value(), 12.5e9);
  EXPECT_EQ(parse_bytes_per_second("8Mbit/s").value(), 1e6);
  EXPECT_TRUE(std::isinf(parse_bytes_per_second("inf").value()));
}

template <class Parse>
std::string refusal(Parse parse, const char* text) {
  try {
    parse(text);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Parse, QuotesWhatItRefusesAndSaysWhatWouldBeRight) {
  EXPECT_EQ(
      refusal(parse_seconds, "12"),
      "'12' is not understood; expected a time with its unit (ns, us, ms, s, min, h), such as "
      "12ms");
  for (const char* text : {"", "ms", "12 parsecs", "1e999s", "nans", "inf", "0x10s", "12 ms 3",
                           "+1s", "1,5ms", "12MS"}) {
    EXPECT_NE(refusal(parse_seconds, text), "accepted") << text;
  }
  for (const char* text : {"", "MB", "2mb", "2Mb", "2Gbit", "1e308TB"}) {
    EXPECT_NE(refusal(parse_bytes, text), "accepted") << text;
  }
  for (const char* text : {"10", "10GB", "10Gb/s", "GB/s", "-inf"}) {
    EXPECT_NE(refusal(parse_bytes_per_second, text), "accepted") << text;
  }
  for (const char* text : {"", "0.8x", "80%", "nan", "inf"}) {
    EXPECT_NE(refusal(parse_number, text), "accepted") << text;
  }
  for (const char* text : {"", "-1", "1.5", "1e3", "99999999999999999999"}) {
    EXPECT_NE(refusal(parse_count, text), "accepted") << text;
  }
}

TEST(ToText, ChoosesTheUnitThatKeepsTheNumberSmall) {
  EXPECT_EQ(to_text(Seconds(9.22e-3)), "9.22 ms");
  EXPECT_EQ(to_text(Seconds(0.00099999)), "1 ms");
  EXPECT_EQ(to_text(Seconds(0)), "0 s");
  EXPECT_EQ(to_text(Seconds(3e-10)), "0.3 ns");
  EXPECT_EQ(to_text(Seconds(-2.5e-6)), "-2.5 us");
  EXPECT_EQ(to_text(Seconds(123456)), "123456 s");
  EXPECT_EQ(to_text(Bytes(393216)), "393.2 kB");
  EXPECT_EQ(to_text(Bytes(12)), "12 B");
  EXPECT_EQ(to_text(BytesPerSecond(1.826484018e9)), "1.826 GB/s");
  EXPECT_EQ(to_text(BytesPerSecond(INFINITY)), "infinite");
}

}  // namespace
}  // namespace splitbench
