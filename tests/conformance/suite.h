// What every backend promises of its survey, nodes and rigs (harness/backend.h). A backend takes
// part by instantiating the suite with its Subject; see host.cpp.
#pragma once

#include <gtest/gtest.h>

#include "tests/conformance/subject.h"

namespace splitbench::conformance {

class Conformance : public testing::TestWithParam<Subject> {};

}  // namespace splitbench::conformance
