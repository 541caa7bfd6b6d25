// Attributes of the stand-in's descriptors against those of the real library, whose descriptors
// work without a device. Expected values: what the real library answers to the same call.
#include <cublasLt.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

// The functions under test, of one library.
struct Library {
  explicit Library(void* from)
      : handle(from),
        create(find<decltype(&cublasLtMatmulDescCreate)>("cublasLtMatmulDescCreate")),
        set(find<decltype(&cublasLtMatmulDescSetAttribute)>("cublasLtMatmulDescSetAttribute")),
        get(find<decltype(&cublasLtMatmulDescGetAttribute)>("cublasLtMatmulDescGetAttribute")),
        create_layout(find<decltype(&cublasLtMatrixLayoutCreate)>("cublasLtMatrixLayoutCreate")),
        set_layout(
            find<decltype(&cublasLtMatrixLayoutSetAttribute)>("cublasLtMatrixLayoutSetAttribute")),
        get_layout(
            find<decltype(&cublasLtMatrixLayoutGetAttribute)>("cublasLtMatrixLayoutGetAttribute")),
        create_preference(
            find<decltype(&cublasLtMatmulPreferenceCreate)>("cublasLtMatmulPreferenceCreate")),
        set_preference(find<decltype(&cublasLtMatmulPreferenceSetAttribute)>(
            "cublasLtMatmulPreferenceSetAttribute")),
        get_preference(find<decltype(&cublasLtMatmulPreferenceGetAttribute)>(
            "cublasLtMatmulPreferenceGetAttribute")),
        destroy(find<decltype(&cublasLtMatmulDescDestroy)>("cublasLtMatmulDescDestroy")),
        destroy_layout(find<decltype(&cublasLtMatrixLayoutDestroy)>("cublasLtMatrixLayoutDestroy")),
        destroy_preference(
            find<decltype(&cublasLtMatmulPreferenceDestroy)>("cublasLtMatmulPreferenceDestroy")),
        status_name(find<decltype(&cublasLtGetStatusName)>("cublasLtGetStatusName")),
        status_text(find<decltype(&cublasLtGetStatusString)>("cublasLtGetStatusString")),
        version(find<decltype(&cublasLtGetVersion)>("cublasLtGetVersion")) {}

  template <class Function>
  Function find(const char* name) const {
    return reinterpret_cast<Function>(dlsym(handle, name));
  }

  void* handle;
  decltype(&cublasLtMatmulDescCreate) create;
  decltype(&cublasLtMatmulDescSetAttribute) set;
  decltype(&cublasLtMatmulDescGetAttribute) get;
  decltype(&cublasLtMatrixLayoutCreate) create_layout;
  decltype(&cublasLtMatrixLayoutSetAttribute) set_layout;
  decltype(&cublasLtMatrixLayoutGetAttribute) get_layout;
  decltype(&cublasLtMatmulPreferenceCreate) create_preference;
  decltype(&cublasLtMatmulPreferenceSetAttribute) set_preference;
  decltype(&cublasLtMatmulPreferenceGetAttribute) get_preference;
  decltype(&cublasLtMatmulDescDestroy) destroy;
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout;
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference;
  decltype(&cublasLtGetStatusName) status_name;
  decltype(&cublasLtGetStatusString) status_text;
  decltype(&cublasLtGetVersion) version;
};

class AgainstTheRealLibrary : public testing::Test {
 protected:
  void SetUp() override {
    void* real = dlopen(SPLITBENCH_REAL_CUBLASLT, RTLD_NOW | RTLD_LOCAL);
    if (real == nullptr) GTEST_SKIP() << dlerror();
    void* standin = dlopen(SPLITBENCH_STANDIN_CUBLASLT, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(standin, nullptr) << dlerror();
    ASSERT_NE(real, standin);
    libraries_ = {Library(real), Library(standin)};
  }

  const Library& real() const { return libraries_[0]; }
  const Library& standin() const { return libraries_[1]; }

  std::vector<Library> libraries_;
};

// What a getter says: status, bytes and content.
struct Answer {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  std::size_t written = 0;
  std::array<unsigned char, 32> bytes{};
  bool operator==(const Answer&) const = default;
};

void PrintTo(const Answer& answer, std::ostream* out) {
  *out << "status " << answer.status << ", " << answer.written << " bytes:";
  for (const int byte : answer.bytes) *out << ' ' << byte;
}

template <class Get>
Answer ask(Get get, std::size_t size) {
  Answer answer;
  answer.status = get(answer.bytes.data(), size, &answer.written);
  if (answer.status != CUBLAS_STATUS_SUCCESS) answer.written = 0;  // "only valid on success"
  return answer;
}

// Sizes that are right for some attribute, and some that are for none.
constexpr std::size_t kSizes[] = {1, 2, 4, 8, 12, 16, 32};

// Every size to set and to get one attribute of two descriptors that were made alike.
template <class Set, class Get, class Descriptor, class Attribute>
void compare(Set real_set, Get real_get, Descriptor real, Set standin_set, Get standin_get,
             Descriptor standin, Attribute attribute) {
  SCOPED_TRACE("attribute " + std::to_string(static_cast<int>(attribute)));
  const auto ask_both = [&](std::size_t size) {
    const auto get_real = [&](void* to, std::size_t bytes, std::size_t* written) {
      return real_get(real, attribute, to, bytes, written);
    };
    const auto get_standin = [&](void* to, std::size_t bytes, std::size_t* written) {
      return standin_get(standin, attribute, to, bytes, written);
    };
    EXPECT_EQ(ask(get_standin, size), ask(get_real, size)) << "to get " << size << " bytes";
  };
  ask_both(0);
  for (const std::size_t size : kSizes) ask_both(size);
  EXPECT_EQ(standin_get(standin, attribute, nullptr, 4, nullptr),
            real_get(real, attribute, nullptr, 4, nullptr));
  EXPECT_EQ(standin_set(standin, attribute, nullptr, 4), real_set(real, attribute, nullptr, 4));
  for (const std::size_t size : kSizes) {
    std::array<unsigned char, 32> value{};
    value[0] = 1;
    EXPECT_EQ(standin_set(standin, attribute, value.data(), size),
              real_set(real, attribute, value.data(), size))
        << "to set " << size << " bytes";
    ask_both(size);
  }
}

TEST_F(AgainstTheRealLibrary, DescriptionsOfProducts) {
  for (const cudaDataType_t scale : {CUDA_R_32F, CUDA_R_64F}) {
    for (const auto attribute :
         {CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLASLT_MATMUL_DESC_SCALE_TYPE,
          CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_MATMUL_DESC_TRANSA,
          CUBLASLT_MATMUL_DESC_TRANSB, CUBLASLT_MATMUL_DESC_EPILOGUE,
          CUBLASLT_MATMUL_DESC_BIAS_POINTER, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE}) {
      const cublasComputeType_t compute =
          scale == CUDA_R_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
      cublasLtMatmulDesc_t theirs = nullptr;
      cublasLtMatmulDesc_t ours = nullptr;
      ASSERT_EQ(real().create(&theirs, compute, scale), CUBLAS_STATUS_SUCCESS);
      ASSERT_EQ(standin().create(&ours, compute, scale), CUBLAS_STATUS_SUCCESS);
      ::compare(real().set, real().get, theirs, standin().set, standin().get, ours, attribute);
      EXPECT_EQ(standin().destroy(ours), real().destroy(theirs));
    }
  }
}

TEST_F(AgainstTheRealLibrary, LayoutsOfMatrices) {
  for (const auto attribute :
       {CUBLASLT_MATRIX_LAYOUT_TYPE, CUBLASLT_MATRIX_LAYOUT_ORDER, CUBLASLT_MATRIX_LAYOUT_ROWS,
        CUBLASLT_MATRIX_LAYOUT_COLS, CUBLASLT_MATRIX_LAYOUT_LD, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
        CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET}) {
    cublasLtMatrixLayout_t theirs = nullptr;
    cublasLtMatrixLayout_t ours = nullptr;
    ASSERT_EQ(real().create_layout(&theirs, CUDA_R_16BF, 3, 5, 7), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(standin().create_layout(&ours, CUDA_R_16BF, 3, 5, 7), CUBLAS_STATUS_SUCCESS);
    ::compare(real().set_layout, real().get_layout, theirs, standin().set_layout,
              standin().get_layout, ours, attribute);
    EXPECT_EQ(standin().destroy_layout(ours), real().destroy_layout(theirs));
  }
}

TEST_F(AgainstTheRealLibrary, Preferences) {
  for (const auto attribute :
       {CUBLASLT_MATMUL_PREF_SEARCH_MODE, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
        CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT,
        CUBLASLT_MATMUL_PREF_IMPL_MASK}) {
    cublasLtMatmulPreference_t theirs = nullptr;
    cublasLtMatmulPreference_t ours = nullptr;
    ASSERT_EQ(real().create_preference(&theirs), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(standin().create_preference(&ours), CUBLAS_STATUS_SUCCESS);
    ::compare(real().set_preference, real().get_preference, theirs, standin().set_preference,
              standin().get_preference, ours, attribute);
    EXPECT_EQ(standin().destroy_preference(ours), real().destroy_preference(theirs));
  }
}

TEST_F(AgainstTheRealLibrary, NullHandles) {
  EXPECT_EQ(standin().create(nullptr, CUBLAS_COMPUTE_32F, CUDA_R_32F),
            real().create(nullptr, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  EXPECT_EQ(standin().create_layout(nullptr, CUDA_R_32F, 1, 1, 1),
            real().create_layout(nullptr, CUDA_R_32F, 1, 1, 1));
  EXPECT_EQ(standin().create_preference(nullptr), real().create_preference(nullptr));
  const std::int32_t value = 1;
  EXPECT_EQ(standin().set(nullptr, CUBLASLT_MATMUL_DESC_TRANSA, &value, sizeof value),
            real().set(nullptr, CUBLASLT_MATMUL_DESC_TRANSA, &value, sizeof value));
}

TEST_F(AgainstTheRealLibrary, NamesOfStatuses) {
  for (int status = 0; status < 20; ++status) {
    const auto code = static_cast<cublasStatus_t>(status);
    EXPECT_STREQ(standin().status_name(code), real().status_name(code)) << status;
    EXPECT_STREQ(standin().status_text(code), real().status_text(code)) << status;
  }
  EXPECT_EQ(standin().version() / 10000, real().version() / 10000);
}

}  // namespace
