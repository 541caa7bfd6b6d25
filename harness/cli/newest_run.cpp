#include "harness/cli/newest_run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <optional>
#include <utility>

#include "harness/cli/say.h"

namespace splitbench::cli {

std::string now_utc() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

RunSummary newest_run(const Store& store, RunFilter filter) {
  const std::optional<RunSummary> last = store.newest_run(filter);
  if (!last) throw StoreError(StoreFault::no_run, store.file(), "there is no such run");
  filter.until = now_utc();
  if (filter.takes(*last)) return *last;
  std::optional<RunSummary> newest = store.newest_run(filter);
  const std::string later = fmt::format("run {} is dated {}, which is later than now ({})",
                                        last->id, last->started_utc, filter.until);
  if (!newest) throw StoreError(StoreFault::no_run, store.file(), later + "; name it");
  say(fmt::format("splitbench: {}: run {} is taken for the newest\n", later, newest->id));
  return *std::move(newest);
}

}  // namespace splitbench::cli
