// Sums of NCCL's data types, element by element.
#pragma once

#include <nccl.h>

#include <cstddef>

namespace splitbench::standin {

// Bytes of one element; 0 for a type that the stand-in does not add up (the 8-bit floats).
std::size_t size_of(ncclDataType_t type);

// sum += term, each sum rounded to the type; whole numbers wrap around.
void add(ncclDataType_t type, void* sum, const void* term, std::size_t count);

// value += 1 in the type: what the fault wrong-result does to one element.
void increment(ncclDataType_t type, void* value);

}  // namespace splitbench::standin
