#include "tests/standin/nccl/fabric.h"

#include <cstdlib>
#include <string_view>

#include "tests/standin/corruption.h"
#include "tests/standin/fault.h"

namespace splitbench::standin {
namespace {

bool goes_through_host() {
  const char* value = std::getenv("NCCL_P2P_DISABLE");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

const std::byte* Fabric::receive(int receiver, int sender, const std::byte* sent,
                                 std::size_t bytes) {
  if (sender == receiver || find_fault("corrupt-peer", sender) == nullptr) return sent;
  std::vector<std::byte>& before = before_[sender];
  before.resize(bytes);
  Corruption how{};
  const bool corrupts = strikes_way(sender, receiver, how) && !goes_through_host();
  if (corrupts) {
    found_.assign(bytes, std::byte{0});
    arrive(how, found_.data(), sent, before, bytes);
  }
  before.assign(sent, sent + bytes);
  return corrupts ? found_.data() : sent;
}

}  // namespace splitbench::standin
