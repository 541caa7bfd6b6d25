#include "tests/conformance/suite.h"

namespace splitbench::conformance {

INSTANTIATE_TEST_SUITE_P(Cuda, Conformance,
                         testing::Values(Subject{.module = SPLITBENCH_CUDA_MODULE,
                                                 .dtype = DataType::bf16,
                                                 .impossible = Launch::direct}));

// Two ranks on one GPU: for results alone, but everything is there.
INSTANTIATE_TEST_SUITE_P(CudaOnOneDevice, Conformance,
                         testing::Values(Subject{.module = SPLITBENCH_CUDA_MODULE,
                                                 .dtype = DataType::bf16,
                                                 .impossible = Launch::direct,
                                                 .shares_devices = true,
                                                 .devices = {0, 0}}));

}  // namespace splitbench::conformance
