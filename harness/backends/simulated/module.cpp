#include "harness/backends/simulated/backend.h"
#include "harness/module_entry.h"
#include "harness/version.h"

const splitbench::ModuleEntry* splitbench_module() {
  static const splitbench::ModuleEntry entry{.build = splitbench::build(),
                                             .name = "simulated",
                                             .backend = &splitbench::simulated::backend};
  return &entry;
}
