#include "tests/conformance/suite.h"

namespace splitbench::conformance {

INSTANTIATE_TEST_SUITE_P(Cuda, Conformance,
                         testing::Values(Subject{.module = SPLITBENCH_CUDA_MODULE,
                                                 .dtype = DataType::bf16,
                                                 .impossible = Launch::direct}));

}  // namespace splitbench::conformance
