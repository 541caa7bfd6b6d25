#include "tests/standin/cublaslt/attribute.h"

#include <cstring>

namespace splitbench::standin {

cublasStatus_t write(const Field& field, const void* buffer, std::size_t size) {
  if (field.address == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (buffer == nullptr || size != field.size) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(field.address, buffer, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t read(const Field& field, void* buffer, std::size_t size, std::size_t* written) {
  if (field.address == nullptr) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (size == 0) {
    if (written == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    *written = field.size;
    return CUBLAS_STATUS_SUCCESS;
  }
  if (buffer == nullptr || size != field.size) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(buffer, field.address, size);
  if (written != nullptr) *written = size;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace splitbench::standin
