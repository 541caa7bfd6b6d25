// The host backend: CPU cores as devices, one bound rank process each. Real measurements of a real
// split, and the numerical reference. Its numbers are a CPU's and are labelled so.
#pragma once

#include "harness/backend.h"

namespace splitbench::host {

const Backend* backend();  // lives as long as the process

}  // namespace splitbench::host
