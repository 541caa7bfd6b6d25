#include "tests/standin/cublaslt/cost.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

// Which product of a layer, for which tokens and d_model.
using Family = std::tuple<bool, std::int64_t, std::int64_t>;

Family family_of(const Product& product) {
  const GemmShape shape = shape_of(product);
  return {product.relu, shape.tokens, product.relu ? shape.inner : shape.outputs};
}

std::int64_t d_ff_of(const Product& product) {
  const GemmShape shape = shape_of(product);
  return product.relu ? shape.outputs : shape.inner;
}

struct Searches {
  std::mutex mutex;
  std::map<Family, std::int64_t> widest;  // d_ff
};

Searches& searches() {
  static auto& instance = *new Searches;  // streams outlive main
  return instance;
}

}  // namespace

void note_search(const Product& product) {
  Searches& all = searches();
  const std::lock_guard lock(all.mutex);
  std::int64_t& widest = all.widest[family_of(product)];
  widest = std::max(widest, d_ff_of(product));
}

bool is_shard(const Product& product) {
  Searches& all = searches();
  const std::lock_guard lock(all.mutex);
  const auto found = all.widest.find(family_of(product));
  return found != all.widest.end() && d_ff_of(product) < found->second;
}

double stated_seconds(const Product& product) {
  const Scenario& stated = scenario();
  const double seconds = stated.launch_s + std::max(flops_of(product) / stated.flops,
                                                    bytes_of(product) / stated.memory_bytes_per_s);
  return is_shard(product) ? seconds / stated.shard_efficiency : seconds;
}

}  // namespace splitbench::standin
