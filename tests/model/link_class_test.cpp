// Ceilings of links, and what is usual of them.
#include "model/link_class.h"

#include <gtest/gtest.h>

namespace splitbench {
namespace {

// PCI Express by its revisions: generation 3 x16 is 8 GT/s x 16 lanes x 128/130 / 8 = 15.754 GB/s,
// each generation on doubles it; 1 x1 is 0.25 GB/s.
TEST(PcieRate, IsTheLinesRateAfterItsCode) {
  EXPECT_NEAR(pcie_rate(3, 16)->value(), 15.754e9, 1e6);
  EXPECT_NEAR(pcie_rate(4, 16)->value(), 31.508e9, 1e6);
  EXPECT_NEAR(pcie_rate(5, 16)->value(), 63.015e9, 1e6);
  EXPECT_NEAR(pcie_rate(4, 4)->value(), 7.877e9, 1e6);
  EXPECT_NEAR(pcie_rate(1, 1)->value(), 0.25e9, 1.0);
}

TEST(PcieRate, IsNotKnownOfWhatPcieHasNot) {
  EXPECT_FALSE(pcie_rate(0, 16));
  EXPECT_FALSE(pcie_rate(7, 16));
  EXPECT_EQ(pcie_rate(4, 5).reason(), "PCIe generation 4 x5 has no rate that is known here");
}

struct Published {
  LinkClass link;
  double ceiling;  // bytes/s one way
  double bytes;
  double time;  // s
};

// All-reduces of two ranks that others published, each within the bounds of its link: NCCL and
// one-shot in ai-dynamo/aiconfigurator at 095f58a; two RTX 4090 without peer access in
// kalavai-client at 52af06b, scripts/README.md; two RTX 2080 Ti without it in Anthony-Hoo's notes.
TEST(AllReduceBounds, HoldWhatOthersMeasured) {
  for (const Published& each : {
           Published{LinkClass::gpu_link, 300e9, 512, 10.0e-6},        // A100, NCCL
           Published{LinkClass::gpu_link, 300e9, 1048576, 40.8e-6},    //
           Published{LinkClass::gpu_link, 450e9, 512, 2.6e-6},         // H100, one-shot
           Published{LinkClass::gpu_link, 450e9, 4194304, 17.1e-6},    //
           Published{LinkClass::gpu_link, 450e9, 536870912, 1686e-6},  // H100, NCCL
           Published{LinkClass::gpu_link, 900e9, 4194304, 36.8e-6},    // B200, NCCL
           Published{LinkClass::peer_pcie, 31.508e9, 512, 7.7e-6},     // L40S, NCCL
           Published{LinkClass::peer_pcie, 31.508e9, 524288, 50e-6},   //
           Published{LinkClass::peer_pcie, 31.508e9, 536870912, 26700e-6},
           Published{LinkClass::peer_pcie, 63.015e9, 8388608, 243.8e-6},     // RTX PRO 6000
           Published{LinkClass::host_memory, 31.508e9, 32768, 25.42e-6},     // RTX 4090
           Published{LinkClass::host_memory, 31.508e9, 67108864, 18091e-6},  //
           Published{LinkClass::host_memory, 15.754e9, 1048576, 279.5e-6},   // RTX 2080 Ti
       }) {
    const Interval bounds =
        all_reduce_bounds(Bytes(each.bytes), 2, each.link, BytesPerSecond(each.ceiling));
    EXPECT_TRUE(bounds.contains(each.time))
        << name(each.link) << " " << each.bytes << ": " << each.time << " in " << bounds.low
        << " to " << bounds.high;
  }
}

// The path of a ring over 4 ranks carries 2 x 3/4 of the message: half as much again as over 2.
TEST(AllReduceBounds, GrowWithTheRing) {
  const Bytes large(1e9);
  const BytesPerSecond ceiling(1e11);
  const Interval two = all_reduce_bounds(large, 2, LinkClass::gpu_link, ceiling);
  const Interval four = all_reduce_bounds(large, 4, LinkClass::gpu_link, ceiling);
  EXPECT_NEAR(four.low / two.low, 1.5, 0.01);
  EXPECT_GT(four.high, two.high);
}

}  // namespace
}  // namespace splitbench
