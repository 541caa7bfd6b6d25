#include "tests/conformance/suite.h"

namespace splitbench::conformance {

INSTANTIATE_TEST_SUITE_P(Host, Conformance,
                         testing::Values(Subject{.module = "host",
                                                 .dtype = DataType::fp32,
                                                 .impossible = Launch::graph,
                                                 .shares_devices = true}));

}  // namespace splitbench::conformance
