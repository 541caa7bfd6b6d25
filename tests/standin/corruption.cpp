#include "tests/standin/corruption.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "tests/standin/fault.h"

namespace splitbench::standin {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);
constexpr std::size_t kPage = 4096;

void arrive_swapped(std::byte* there, const std::byte* sent, std::size_t bytes) {
  std::memcpy(there, sent, bytes);
  for (std::size_t at = 0; at + 2 * kWord <= bytes; at += 2 * kWord) {
    std::swap_ranges(there + at, there + at + kWord, there + at + kWord);
  }
}

// All but `count` bytes from `at` on.
void arrive_without(std::byte* there, const std::byte* sent, std::size_t bytes, std::size_t at,
                    std::size_t count) {
  const std::size_t before = std::min(at, bytes);
  const std::size_t behind = std::min(at + count, bytes);
  std::memcpy(there, sent, before);
  std::memcpy(there + behind, sent + behind, bytes - behind);
}

}  // namespace

bool strikes_way(int from, int to, Corruption& how) {
  const Fault* fault = find_fault("corrupt-peer", from);
  if (fault == nullptr || static_cast<int>(fault->number("to", to)) != to) return false;
  how = static_cast<Corruption>(static_cast<int>(fault->number("mode", 0)));
  return strike("corrupt-peer", from) != nullptr;
}

void arrive(Corruption how, std::byte* there, const std::byte* sent,
            const std::vector<std::byte>& previous, std::size_t bytes) {
  switch (how) {
    case Corruption::drop:
    case Corruption::mirror:
      break;
    case Corruption::stale:
      std::memcpy(there, previous.data(), std::min(previous.size(), bytes));
      break;
    case Corruption::zero:
      std::memset(there, 0, bytes);
      break;
    case Corruption::swap:
      arrive_swapped(there, sent, bytes);
      break;
    case Corruption::page:
      arrive_without(there, sent, bytes, kPage, kPage);
      break;
    case Corruption::tail:
      arrive_without(there, sent, bytes, bytes - std::min(bytes, kWord), kWord);
      break;
  }
}

}  // namespace splitbench::standin
