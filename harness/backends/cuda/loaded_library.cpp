#include "harness/backends/cuda/loaded_library.h"

#include <dlfcn.h>

namespace splitbench::cuda {

std::string library_of(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return {};
  return info.dli_fname;
}

void* symbol_beside(const void* function, const char* name) {
  // The library is local to this module, so the default search does not see it.
  void* library = dlopen(library_of(function).c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* symbol = dlsym(library, name);
  dlclose(library);  // stays loaded: this module needs it
  return symbol;
}

}  // namespace splitbench::cuda
