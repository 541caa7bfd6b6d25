#include "tests/standin/nccl/fabric.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/standin/fault.h"

namespace splitbench::standin {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

bool goes_through_host() {
  const char* value = std::getenv("NCCL_P2P_DISABLE");
  return value != nullptr && std::string_view(value) == "1";
}

void swap_words(std::vector<std::byte>& bytes) {
  for (std::size_t at = 0; at + 2 * kWord <= bytes.size(); at += 2 * kWord) {
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    std::swap_ranges(first, first + kWord, first + kWord);
  }
}

}  // namespace

const std::byte* Fabric::receive(int receiver, int sender, const std::byte* sent,
                                 std::size_t bytes) {
  if (sender == receiver || find_fault("corrupt-peer", sender) == nullptr) return sent;
  std::vector<std::byte>& before = before_[sender];
  before.resize(bytes);
  found_ = before;
  before.assign(sent, sent + bytes);
  const Fault* fault = strike("corrupt-peer", sender);
  if (fault == nullptr || goes_through_host()) return sent;
  switch (static_cast<Corruption>(fault->number("mode", 0))) {
    case Corruption::stale:
      break;
    case Corruption::swap:
      found_ = before;
      swap_words(found_);
      break;
    case Corruption::drop:
    case Corruption::mirror:
    case Corruption::zero:
      std::fill(found_.begin(), found_.end(), std::byte{0});
      break;
  }
  return found_.data();
}

}  // namespace splitbench::standin
