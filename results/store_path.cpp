#include "results/store_path.h"

#include <cstdlib>

namespace splitbench {
namespace {

std::filesystem::path environment_path(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path default_store_path() {
  std::filesystem::path named = environment_path("SPLITBENCH_STORE");
  if (!named.empty()) return named;
  const std::filesystem::path data = environment_path("XDG_DATA_HOME");
  if (data.is_absolute()) return data / "splitbench" / "store.db";
  const std::filesystem::path home = environment_path("HOME");
  if (home.is_absolute()) return home / ".local" / "share" / "splitbench" / "store.db";
  return "splitbench-store.db";
}

}  // namespace splitbench
