#include "harness/backends/cuda/backend.h"
#include "harness/module_entry.h"
#include "harness/version.h"

const splitbench::ModuleEntry* splitbench_module() {
  static const splitbench::ModuleEntry entry{
      .build = splitbench::build(), .name = "cuda", .backend = &splitbench::cuda::backend};
  return &entry;
}
