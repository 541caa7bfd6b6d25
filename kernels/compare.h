// Comparisons on the device: what comes back is a few numbers, not a matrix. Results are device
// memory (or mapped host memory) that the caller has zeroed; launchers add to them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/matrix.h"
#include "kernels/reference.h"

namespace splitbench::kernels {

struct Comparison {
  unsigned long long outside = 0;        // elements with |y - reference| > bound, or NaN
  unsigned long long differing = 0;      // elements with y != reference, as float64
  unsigned long long first_outside = 0;  // 1 + index (row * columns + column) of the first; 0: none
  double worst_ratio = 0;  // largest |y - reference| / bound; infinite for NaN; 0 / 0 is 0
  double max_error = 0;    // largest |y - reference| that is a number
  double largest_bound = 0;
  double sum_of_squares = 0;  // of the reference
};

cudaError_t compare(const Matrix& y, const Doubles& reference, const Doubles& bound,
                    Comparison* result, cudaStream_t stream);

// Elements whose bits are all ones: what poisoned memory holds where nothing was written.
cudaError_t count_poison(const Matrix& values, unsigned long long* count, cudaStream_t stream);

// A sum over all elements of mix64(bits + mix64(index)): equal on two devices exactly if, but for
// a chance of about 2^-64, every element has the same bits.
cudaError_t checksum(const Matrix& values, unsigned long long* sum, cudaStream_t stream);

}  // namespace splitbench::kernels
