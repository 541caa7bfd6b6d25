// The formats that the kernels' tests rely on, against published bit patterns.
#include "tests/kernels/number_format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "model/random.h"

namespace splitbench::kernels {
namespace {

struct Case {
  Element element;
  double value;
  std::uint32_t bits;
};

// fp16: Wikipedia, "Half-precision floating-point format", table of examples. bf16: likewise,
// "bfloat16 floating-point format". Ties are the definition of ties to even, by hand.
TEST(NumberFormat, IsThePublishedOne) {
  const Case cases[] = {
      {Element::fp16, 0x1p-24, 0x0001},
      {Element::fp16, 0x1p-14, 0x0400},
      {Element::fp16, 1.0 / 3.0, 0x3555},
      {Element::fp16, 1.0, 0x3c00},
      {Element::fp16, 65504.0, 0x7bff},
      {Element::fp16, 65520.0, 0x7c00},        // half way to 65536: infinity
      {Element::fp16, 1.0 + 0x1p-11, 0x3c00},  // ties
      {Element::fp16, 1.0 + 3 * 0x1p-11, 0x3c02},
      {Element::fp16, -2.0, 0xc000},
      {Element::bf16, 1.0, 0x3f80},
      {Element::bf16, 3.140625, 0x4049},
      {Element::bf16, 1.0 / 3.0, 0x3eab},
      {Element::bf16, 1.0 + 0x1p-8, 0x3f80},  // ties
      {Element::bf16, 1.0 + 3 * 0x1p-8, 0x3f82},
      {Element::bf16, -INFINITY, 0xff80},
  };
  for (const Case& c : cases) EXPECT_EQ(encode(c.element, c.value), c.bits) << c.value;
  EXPECT_EQ(decode(Element::fp16, 0x3555), 0.333251953125);
  EXPECT_EQ(decode(Element::fp16, 0x0001), 0x1p-24);
  EXPECT_EQ(decode(Element::bf16, 0x4049), 3.140625);
}

// The compiler's own conversion from double to float rounds to nearest, ties to even.
TEST(NumberFormat, Fp32IsTheCompilersFloat) {
  Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const double value = std::bit_cast<double>(random.next());
    if (std::isnan(value)) continue;
    const auto expected = static_cast<float>(value);
    EXPECT_EQ(encode(Element::fp32, value), std::bit_cast<std::uint32_t>(expected)) << value;
    EXPECT_EQ(decode(Element::fp32, std::bit_cast<std::uint32_t>(expected)), expected);
  }
}

TEST(NumberFormat, EveryPatternOf16BitsComesBack) {
  for (const Element element : {Element::fp16, Element::bf16}) {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
      const double value = decode(element, bits);
      if (std::isnan(value)) continue;
      EXPECT_EQ(encode(element, value), bits);
    }
  }
}

}  // namespace
}  // namespace splitbench::kernels
