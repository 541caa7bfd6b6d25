#include "tests/standin/nccl/reduction.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace splitbench::standin {
namespace {

template <class T>
T sum_of(T left, T right) {
  return static_cast<T>(left + right);
}
__half sum_of(__half left, __half right) {
  return __float2half_rn(__half2float(left) + __half2float(right));
}
__nv_bfloat16 sum_of(__nv_bfloat16 left, __nv_bfloat16 right) {
  return __float2bfloat16_rn(__bfloat162float(left) + __bfloat162float(right));
}

template <class T>
T one() {
  return T{1};
}
template <>
__half one() {
  return __float2half_rn(1.0F);
}
template <>
__nv_bfloat16 one() {
  return __float2bfloat16_rn(1.0F);
}

// Calls work with a null pointer of the C++ type that holds such elements. Signed whole numbers are
// held in unsigned ones: the bits are the same, and overflow is defined.
template <class Work>
void with_type(ncclDataType_t type, Work work) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return work(static_cast<std::uint8_t*>(nullptr));
    case ncclInt32:
    case ncclUint32:
      return work(static_cast<std::uint32_t*>(nullptr));
    case ncclInt64:
    case ncclUint64:
      return work(static_cast<std::uint64_t*>(nullptr));
    case ncclFloat16:
      return work(static_cast<__half*>(nullptr));
    case ncclBfloat16:
      return work(static_cast<__nv_bfloat16*>(nullptr));
    case ncclFloat32:
      return work(static_cast<float*>(nullptr));
    case ncclFloat64:
      return work(static_cast<double*>(nullptr));
    default:
      return;
  }
}

}  // namespace

std::size_t size_of(ncclDataType_t type) {
  std::size_t size = 0;
  with_type(type, [&]<class T>(T*) { size = sizeof(T); });
  return size;
}

void add(ncclDataType_t type, void* sum, const void* term, std::size_t count) {
  with_type(type, [&]<class T>(T*) {
    T* to = static_cast<T*>(sum);
    const T* from = static_cast<const T*>(term);
    for (std::size_t i = 0; i < count; ++i) to[i] = sum_of(to[i], from[i]);
  });
}

void increment(ncclDataType_t type, void* value) {
  with_type(type, [&]<class T>(T*) {
    T* element = static_cast<T*>(value);
    *element = sum_of(*element, one<T>());
  });
}

}  // namespace splitbench::standin
