#include "harness/registry.h"

#include "harness/backends/host/backend.h"

namespace splitbench {

std::vector<const Backend*> backends() {
  static const std::unique_ptr<Backend> host = host::make_backend();
  return {host.get()};
}

const Backend* find_backend(std::string_view name) {
  for (const Backend* backend : backends()) {
    if (backend->name() == name) return backend;
  }
  return nullptr;
}

}  // namespace splitbench
