#include "protocols/order.h"

#include <algorithm>
#include <numeric>

namespace splitbench {
namespace {

std::vector<std::size_t> shuffled(std::size_t n, Random& random) {
  std::vector<std::size_t> items(n);
  std::iota(items.begin(), items.end(), std::size_t{0});
  random.shuffle(items);
  return items;
}

}  // namespace

std::size_t williams_rows(std::size_t n) {
  return n % 2 == 0 ? n : 2 * n;
}

std::vector<std::size_t> williams_row(std::size_t n, std::size_t row) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t zigzag = i % 2 == 1 ? (i + 1) / 2 : n - i / 2;
    order[i] = (zigzag + row) % n;
  }
  if (row >= n) std::reverse(order.begin(), order.end());
  return order;
}

BalancedOrder::BalancedOrder(std::size_t n, Random& random)
    : random_(&random), labels_(shuffled(n, random)), deck_(shuffled(williams_rows(n), random)) {}

std::vector<std::size_t> BalancedOrder::next() {
  if (drawn_ == deck_.size()) {
    deck_ = shuffled(deck_.size(), *random_);
    drawn_ = 0;
  }
  std::vector<std::size_t> order = williams_row(labels_.size(), deck_[drawn_++]);
  for (std::size_t& treatment : order) treatment = labels_[treatment];
  return order;
}

}  // namespace splitbench
