// What NVML, the driver's management library, says of a GPU. Loaded at run time by its name, so
// that a program without a driver starts; called by one thread of a process that does nothing else.
//
// Every reading is an answer: a value in base units, or the reason why there is none. A call that
// is missing, refused or not supported is never taken for a 0. Devices are found by their PCI
// address, never by an index: NVML and the CUDA runtime number them differently.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/answer.h"
#include "model/quantity.h"

namespace splitbench::cuda {

struct NvmlFunctions;
struct NvmlDeviceHandle;  // NVML's own, opaque

enum class MemoryErrors { corrected, uncorrected };

struct NvLink {
  unsigned number = 0;
  bool active = false;
};

// What the data link layer of an NVLink counts.
enum class NvLinkError { replay, recovery, crc_flit, crc_data };

struct NvmlMemory {
  Bytes total{};
  Bytes used{};  // by all processes; the driver's own share may be in it
};

// A view: valid as long as the Nvml it came from.
class NvmlDevice {
 public:
  NvmlDevice(const NvmlFunctions& functions, NvmlDeviceHandle* handle)
      : functions_(&functions), handle_(handle) {}

  Answer<std::string> uuid() const;  // "GPU-" and 32 digits in groups
  Answer<double> sm_clock_hz() const;
  Answer<double> memory_clock_hz() const;
  Answer<std::uint64_t> event_reasons() const;  // bits: see event_reason_names()
  Answer<double> temperature_celsius() const;
  Answer<double> power_watts() const;
  Answer<double> energy_joules() const;                            // since the driver was loaded
  Answer<std::uint64_t> memory_errors(MemoryErrors errors) const;  // likewise
  Answer<unsigned> pcie_generation() const;  // as it is now: an idle link slows down
  Answer<unsigned> pcie_width() const;       // lanes
  Answer<std::uint64_t> pcie_replays() const;
  Answer<std::vector<NvLink>> links() const;
  Answer<std::uint64_t> link_errors(unsigned link, NvLinkError error) const;
  Answer<NvmlMemory> memory() const;
  // Of processes that compute. Advisory: in a container they may be missing, or be those of the
  // machine around it.
  Answer<std::vector<pid_t>> process_ids() const;

 private:
  const NvmlFunctions* functions_;
  NvmlDeviceHandle* handle_;
};

class Nvml {
 public:
  // Throws nothing: where the library cannot be loaded or does not start, find() says why.
  explicit Nvml(const std::string& library = "libnvidia-ml.so.1");

  // Why nothing can be read; empty where NVML is at hand.
  const std::string& reason() const { return reason_; }
  // The file that was loaded; empty where none was.
  const std::string& library_path() const { return library_path_; }
  Answer<std::string> driver_version() const;

  // `pci_address` as the CUDA runtime writes it, "0000:3B:00.0".
  Answer<NvmlDevice> find(const std::string& pci_address) const;

 private:
  std::shared_ptr<const NvmlFunctions> functions_;
  std::string reason_;
  std::string library_path_;
};

// Why clocks are lower than they could be: the name of every bit that is set, "0x..." for bits
// without one. Source: nvml.h, nvmlClocksEventReasons.
std::vector<std::string> event_reason_names(std::uint64_t bits);

}  // namespace splitbench::cuda
