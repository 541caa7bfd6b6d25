// What a backend module exports: splitbench_module(), and nothing else.
#pragma once

#include "harness/backend.h"

namespace splitbench {

// Plain C until `build` was compared: a module of another build lays out everything else anew.
struct ModuleEntry {
  const char* build;            // build() of harness/version.h, as the module was built with it
  const char* name;             // of the backend: "cuda"
  const Backend* (*backend)();  // lives as long as the process
};

}  // namespace splitbench

extern "C" [[gnu::visibility("default")]] const splitbench::ModuleEntry* splitbench_module();
