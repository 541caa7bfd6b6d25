#include "harness/backends/host/backend.h"
#include "harness/module_entry.h"
#include "harness/version.h"

const splitbench::ModuleEntry* splitbench_module() {
  static const splitbench::ModuleEntry entry{
      .build = splitbench::build(), .name = "host", .backend = &splitbench::host::backend};
  return &entry;
}
