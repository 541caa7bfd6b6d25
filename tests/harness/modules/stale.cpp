// A module of another build: nothing of it may be used but the name of that build.
#include <cstdlib>

#include "harness/module_entry.h"

const splitbench::ModuleEntry* splitbench_module() {
  static const splitbench::ModuleEntry entry{
      .build = "0.0.1 of long ago", .name = "stale", .backend = []() -> const splitbench::Backend* {
        std::abort();
      }};
  return &entry;
}
