#include "tests/conformance/suite.h"

namespace splitbench::conformance {

INSTANTIATE_TEST_SUITE_P(Simulated, Conformance,
                         testing::Values(Subject{.module = "simulated",
                                                 .dtype = DataType::bf16,
                                                 .impossible = Launch::graph,
                                                 .one_process = true,
                                                 .moves_data = false}));

}  // namespace splitbench::conformance
