// One device that writes into the memory of another, in one process: what a probe of the way
// between them needs on both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/backends/cuda/runtime.h"
#include "kernels/peer_probe.h"

namespace splitbench::cuda {

// A device of this process, with a stream and a buffer of its own.
class PeerEnd {
 public:
  PeerEnd(int device, std::size_t most_words);

  int device() const { return device_; }
  void use() const;  // calls act on this device from here on
  cudaStream_t stream() const { return stream_.get(); }
  // Guards stand before and behind `words()`.
  std::uint32_t* guarded() const { return memory_.as<std::uint32_t>(); }
  std::uint32_t* words() const { return guarded() + kernels::kGuardWords; }
  std::size_t most_words() const;
  kernels::PeerFindings& findings() const { return *findings_.host(); }
  kernels::PeerFindings* device_findings() const { return findings_.device(); }

 private:
  int device_;
  Stream stream_;
  DeviceMemory memory_;
  Pinned<kernels::PeerFindings> findings_;
};

enum class Way { stores, copy_engine };
const char* name(Way way);

// Writes `words` fresh values from one device to the other and has the owner look. Empty where
// every byte arrived and no other changed; else what the owner found. Throws HarnessError.
std::string probe(const PeerEnd& writer, const PeerEnd& owner, Way way, std::size_t words,
                  std::uint32_t nonce);

}  // namespace splitbench::cuda
