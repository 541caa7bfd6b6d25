// The run that is meant where none is named.
#pragma once

#include <string>

#include "results/store.h"

namespace splitbench::cli {

// "2026-01-31T12:00:00Z"
std::string now_utc();

// The newest that the filter takes and that has begun by now: one that is dated later would stay
// the newest for as long, and that it is passed over is said on standard error. Throws StoreError
// where there is none.
RunSummary newest_run(const Store& store, RunFilter filter = {});

}  // namespace splitbench::cli
