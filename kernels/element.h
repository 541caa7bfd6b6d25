// How an element of a matrix is stored. tf32 is a way to multiply, not to store: its matrices are
// fp32.
#pragma once

#include <cstddef>

namespace splitbench::kernels {

enum class Element { fp32, fp16, bf16 };

constexpr std::size_t size_of(Element element) {
  return element == Element::fp32 ? 4 : 2;
}

}  // namespace splitbench::kernels
