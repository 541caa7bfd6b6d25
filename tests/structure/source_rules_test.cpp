// The source tree keeps the architecture's one-way arrows, and the check that says so can fail.
#include "tests/structure/source_rules.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace splitbench::structure {
namespace {

using Check = Violations (*)(std::string_view path, std::string_view text);

std::string joined(const Violations& violations) {
  std::string text;
  for (const auto& violation : violations) text += violation + "\n";
  return text;
}

std::vector<std::filesystem::path> sources() {
  static const std::set<std::string> kinds = {".h", ".cpp", ".cu", ".cuh"};
  const std::filesystem::path root = SPLITBENCH_SOURCE_DIR;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"model", "protocols", "results", "kernels", "harness"}) {
    if (!std::filesystem::is_directory(root / folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder))
      if (kinds.contains(entry.path().extension().string())) files.push_back(entry.path());
  }
  return files;
}

std::string violations_in_tree(Check check) {
  std::string all;
  for (const auto& file : sources()) {
    std::ifstream stream(file);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    all += joined(check(file.lexically_relative(SPLITBENCH_SOURCE_DIR).generic_string(), text));
  }
  return all;
}

TEST(SourceTree, IsWhereTheTestLooks) {
  EXPECT_GT(sources().size(), 10U);
}

TEST(SourceTree, IncludesGoOneWay) {
  EXPECT_EQ(violations_in_tree(check_includes), "");
}

TEST(SourceTree, VendorNamesStayInTheirFolders) {
  EXPECT_EQ(violations_in_tree(check_vendor_names), "");
}

struct Case {
  const char* path;
  const char* text;
  const char* expected;  // "" where no rule is broken
};

// One line per arrow that must not exist, from the table of folders in docs/architecture.md.
TEST(CheckIncludes, NamesEachForbiddenArrow) {
  const Case cases[] = {
      {"model/a.h", "#include \"protocols/b.h\"\n",
       "model/a.h:1: model/ may not include protocols/b.h\n"},
      {"model/a.cpp", "\n\n  #  include \"harness/b.h\"\n",
       "model/a.cpp:3: model/ may not include harness/b.h\n"},
      {"protocols/a.h", "#include \"results/b.h\"\n",
       "protocols/a.h:1: protocols/ may not include results/b.h\n"},
      {"results/import/a.cpp", "#include <harness/b.h>\n",
       "results/import/a.cpp:1: results/ may not include harness/b.h\n"},
      {"results/a.cpp", "#include \"kernels/b.h\"\n",
       "results/a.cpp:1: results/ may not include kernels/b.h\n"},
      {"kernels/a.cu", "#include \"model/b.h\"\n",
       "kernels/a.cu:1: kernels/ may not include model/b.h\n"},
      {"harness/a.cpp", "#include \"tests/b.h\"\n",
       "harness/a.cpp:1: harness/ may not include tests/b.h\n"},
      {"model/a.cpp", "#include \"../harness/b.h\"\n",
       "model/a.cpp:1: \"../harness/b.h\" is not written from the root\n"},
      {"model/a.cpp", "#include \"b.h\"\n",
       "model/a.cpp:1: \"b.h\" is not written from the root\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(joined(check_includes(c.path, c.text)), c.expected);
}

TEST(CheckIncludes, AllowsTheArrowsThatExist) {
  const Case cases[] = {
      {"model/a.cpp", "#include \"model/b.h\"\n#include <vector>\n#include <boost/math/x.hpp>\n",
       ""},
      {"protocols/a.cpp", "#include \"model/b.h\"\n#include \"protocols/c.h\"\n", ""},
      {"results/a.cpp", "#include \"model/b.h\"\n#include \"protocols/c.h\"\n", ""},
      {"harness/cli/a.cpp", "#include \"results/b.h\"\n#include \"kernels/c.h\"\n", ""},
      {"tests/model/a.cpp", "#include \"harness/b.h\"\n", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(joined(check_includes(c.path, c.text)), c.expected);
}

// Names from the public headers of CUDA, cuBLASLt, NCCL and NVML.
TEST(CheckVendorNames, FindsHeadersFunctionsTypesAndConstants) {
  const Case cases[] = {
      {"harness/a.cpp", "#include <cuda_runtime.h>\n",
       "harness/a.cpp:1: vendor header cuda_runtime.h\n"},
      {"model/a.h", "#include \"nccl.h\"\n", "model/a.h:1: vendor header nccl.h\n"},
      {"harness/a.cpp", "#include <cublasLt.h>\n", "harness/a.cpp:1: vendor header cublasLt.h\n"},
      {"results/a.cpp", "#include <nvml.h>\n", "results/a.cpp:1: vendor header nvml.h\n"},
      {"harness/a.cpp", "int n;\ncudaGetDeviceCount(&n);\n",
       "harness/a.cpp:2: vendor name cudaGetDeviceCount\n"},
      {"harness/a.h", "ncclComm_t comm;", "harness/a.h:1: vendor name ncclComm_t\n"},
      {"harness/a.h", "cublasLtHandle_t h;", "harness/a.h:1: vendor name cublasLtHandle_t\n"},
      {"harness/a.cpp", "nvmlInit_v2();", "harness/a.cpp:1: vendor name nvmlInit_v2\n"},
      {"harness/a.cpp", "cuInit(0);", "harness/a.cpp:1: vendor name cuInit(\n"},
      {"harness/a.cpp", "x = CUBLAS_OP_N;", "harness/a.cpp:1: vendor name CUBLAS_OP_N\n"},
      {"harness/backends/host/a.cpp", "/* one\n two */ cudaFree(p);",
       "harness/backends/host/a.cpp:2: vendor name cudaFree\n"},
      {"harness/a.cpp", "n = 1'000; cudaFree(p); c = 'x';",
       "harness/a.cpp:1: vendor name cudaFree\n"},
      {"harness/a.cpp", "auto s = R\"(\")\"; cudaFree(p);",
       "harness/a.cpp:1: vendor name cudaFree\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(joined(check_vendor_names(c.path, c.text)), c.expected);
}

TEST(CheckVendorNames, LeavesProseStringsAndTheVendorsFoldersAlone) {
  const Case cases[] = {
      {"kernels/a.cu", "#include <cuda_runtime.h>\ncudaFree(p);\n", ""},
      {"harness/backends/cuda/a.cpp", "#include <nccl.h>\nncclComm_t comm;\n", ""},
      {"harness/a.cpp", "// set by cudaMalloc\nprint(\"set NCCL_DEBUG=INFO, \\\" cudaFree\");\n",
       ""},
      {"harness/a.cpp", "s = R\"x(\nNCCL_ALGO=ring)\" cudaFree )x\";\n", ""},
      {"results/import/nccl_tests.cpp", "#include \"results/import/nccl_tests.h\"\n", ""},
      {"harness/a.cpp", "auto custom = cut(cumulative(x)); Backend cuda_backend;\n", ""},
      {"tests/standin/a.cpp", "cudaFree(p);\n", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(joined(check_vendor_names(c.path, c.text)), c.expected);
}

}  // namespace
}  // namespace splitbench::structure
