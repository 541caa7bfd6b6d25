// Exported: creation, destruction and attributes of cuBLASLt's descriptors.
#include <new>

#include "tests/standin/cublaslt/descriptors.h"

namespace splitbench::standin {
namespace {

// *handle = a new Descriptor, made from `values`.
template <class Descriptor, class Handle, class... Values>
cublasStatus_t create(Handle* handle, Values... values) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  auto* descriptor = new (std::nothrow) Descriptor{values...};
  if (descriptor == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  *handle = reinterpret_cast<Handle>(descriptor);
  return CUBLAS_STATUS_SUCCESS;
}

template <class Descriptor>
cublasStatus_t destroy(Descriptor* descriptor) {
  delete descriptor;
  return CUBLAS_STATUS_SUCCESS;
}

template <class Descriptor, class Attribute>
cublasStatus_t set(Descriptor* descriptor, Attribute attribute, const void* buffer,
                   std::size_t size) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return write(field(*descriptor, attribute), buffer, size);
}

template <class Descriptor, class Attribute>
cublasStatus_t get(Descriptor* descriptor, Attribute attribute, void* buffer, std::size_t size,
                   std::size_t* written) {
  if (descriptor == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  return read(field(*descriptor, attribute), buffer, size, written);
}

}  // namespace
}  // namespace splitbench::standin

using namespace splitbench::standin;

extern "C" {

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* handle,
                                        cublasComputeType_t compute_type,
                                        cudaDataType_t scale_type) {
  return create<MatmulDescription>(handle, static_cast<std::int32_t>(compute_type),
                                   static_cast<std::int32_t>(scale_type));
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t handle) {
  return destroy(description(handle));
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* buffer, std::size_t size) {
  return set(description(handle), attribute, buffer, size);
}

cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t handle,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              void* buffer, std::size_t size,
                                              std::size_t* written) {
  return get(description(handle), attribute, buffer, size, written);
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* handle, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t leading) {
  return create<MatrixLayout>(handle, static_cast<std::uint32_t>(type), CUBLASLT_ORDER_COL, rows,
                              columns, leading);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t handle) {
  return destroy(layout(handle));
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* buffer, std::size_t size) {
  return set(layout(handle), attribute, buffer, size);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t handle,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                void* buffer, std::size_t size,
                                                std::size_t* written) {
  return get(layout(handle), attribute, buffer, size, written);
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* handle) {
  return create<Preference>(handle);
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t handle) {
  return destroy(preference(handle));
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* buffer, std::size_t size) {
  return set(preference(handle), attribute, buffer, size);
}

cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t handle,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    void* buffer, std::size_t size,
                                                    std::size_t* written) {
  return get(preference(handle), attribute, buffer, size, written);
}

}  // extern "C"
