// The host backend: CPU cores as devices, one bound rank process each. Real measurements of a real
// split, and the numerical reference. Its numbers are a CPU's and are labelled so.
#pragma once

#include <memory>

#include "harness/backend.h"

namespace splitbench::host {

std::unique_ptr<Backend> make_backend();

}  // namespace splitbench::host
