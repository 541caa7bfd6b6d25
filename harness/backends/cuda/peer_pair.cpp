#include "harness/backends/cuda/peer_pair.h"

#include <fmt/format.h>

namespace splitbench::cuda {
namespace {

constexpr std::size_t guarded_bytes(std::size_t words) {
  return (words + 2 * kernels::kGuardWords) * sizeof(std::uint32_t);
}

std::string sentence(const kernels::PeerFindings& found, std::size_t words, Way way) {
  if (found.wrong == 0 && found.guards_broken == 0) return {};
  std::string text = fmt::format("{} of {} words wrong by {}", found.wrong, words, name(way));
  if (found.wrong > 0) {
    text += fmt::format(", the first at byte {}", (found.first_wrong - 1) * sizeof(std::uint32_t));
    if (found.still_poison == found.wrong) text += ", where nothing arrived";
  }
  if (found.guards_broken > 0) {
    text += fmt::format(", {} words beside them overwritten", found.guards_broken);
  }
  return text;
}

void send(const PeerEnd& writer, const PeerEnd& owner, Way way, std::size_t words,
          std::uint32_t nonce) {
  writer.use();
  if (way == Way::stores) {
    check(kernels::peer_store(owner.words(), words, nonce, writer.stream()), "peer_store");
  } else {
    check(kernels::peer_store(writer.words(), words, nonce, writer.stream()), "peer_store");
    copy_between(owner.words(), owner.device(), writer.words(), writer.device(),
                 words * sizeof(std::uint32_t), writer.stream());
  }
  synchronize(writer.stream());
}

}  // namespace

const char* name(Way way) {
  return way == Way::stores ? "stores" : "copy engine";
}

PeerEnd::PeerEnd(int device, std::size_t most_words)
    : device_(device),
      stream_((check(cudaSetDevice(device), "cudaSetDevice"), make_stream())),
      memory_(guarded_bytes(most_words)) {}

void PeerEnd::use() const {
  check(cudaSetDevice(device_), "cudaSetDevice");
}

std::size_t PeerEnd::most_words() const {
  return memory_.bytes() / sizeof(std::uint32_t) - 2 * kernels::kGuardWords;
}

std::string probe(const PeerEnd& writer, const PeerEnd& owner, Way way, std::size_t words,
                  std::uint32_t nonce) {
  const std::uint32_t poison = ~nonce;
  owner.use();
  check(kernels::poison_guarded(owner.guarded(), words, poison, owner.stream()), "poison_guarded");
  synchronize(owner.stream());
  send(writer, owner, way, words, nonce);
  owner.use();
  owner.findings() = {};
  check(kernels::peer_look(owner.guarded(), words, nonce, poison, owner.device_findings(),
                           owner.stream()),
        "peer_look");
  synchronize(owner.stream());
  return sentence(owner.findings(), words, way);
}

}  // namespace splitbench::cuda
