// The worked 2 x 4 example on GPUs.
#pragma once

#include "harness/backends/cuda/verify.h"

namespace splitbench::cuda {

// On ranks 0 and 1, padded with zeros to 16 x 16, with ReLU where it belongs and, as a control,
// after the sum; further ranks contribute zeros. Whether the result is right and the control wrong,
// bit for bit. Collective.
bool exact_example(const VerifyContext& context);

// What that allocates on the device.
std::size_t exact_example_bytes(DataType dtype);

}  // namespace splitbench::cuda
