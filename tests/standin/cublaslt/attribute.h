// Attributes of cuBLASLt's opaque descriptors: each is a field of ours of a fixed size, and is
// written and read under the rules that cublasLt.h states for every *SetAttribute and
// *GetAttribute.
#pragma once

#include <cublasLt.h>

#include <cstddef>

namespace splitbench::standin {

// Where an attribute is kept. An attribute that this stand-in does not know has no address.
struct Field {
  void* address = nullptr;
  std::size_t size = 0;
};

template <class T>
Field field_of(T& member) {
  return {&member, sizeof(T)};
}

// INVALID_VALUE where the buffer is null or `size` is not the field's; NOT_SUPPORTED for an
// attribute that the stand-in does not know, whatever the real library says.
cublasStatus_t write(const Field& field, const void* buffer, std::size_t size);

// With `size` 0: only *written = bytes of the field. Else `size` must be the field's, and `written`
// may be null.
cublasStatus_t read(const Field& field, void* buffer, std::size_t size, std::size_t* written);

}  // namespace splitbench::standin
