#include "harness/backends/cuda/health.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace splitbench::cuda {
namespace {

constexpr std::array<std::pair<NvLinkError, const char*>, 4> kLinkErrors{{
    {NvLinkError::replay, "nvlink_replays"},
    {NvLinkError::recovery, "nvlink_recoveries"},
    {NvLinkError::crc_flit, "nvlink_crc_flit_errors"},
    {NvLinkError::crc_data, "nvlink_crc_data_errors"},
}};

// One device's health while it is put together.
class Examination {
 public:
  Examination(int rank, NvmlDevice device) : device_(device) { health_.rank = rank; }

  DeviceHealth run(const std::vector<pid_t>& ours) && {
    read("sm_clock_hz", device_.sm_clock_hz());
    read("memory_clock_hz", device_.memory_clock_hz());
    read("temperature_celsius", device_.temperature_celsius());
    read("power_watts", device_.power_watts());
    read("energy_joules", device_.energy_joules());
    read("pcie_generation", device_.pcie_generation());
    read("pcie_width", device_.pcie_width());
    count("ecc_corrected", device_.memory_errors(MemoryErrors::corrected));
    count("ecc_uncorrected", device_.memory_errors(MemoryErrors::uncorrected));
    count("pcie_replays", device_.pcie_replays());
    look_at_clocks();
    look_at_memory();
    look_at_links();
    look_for_others(ours);
    return std::move(health_);
  }

 private:
  template <class T>
  void read(const char* key, const Answer<T>& answer) {
    if (answer) {
      health_.readings[key] = static_cast<double>(*answer);
    } else {
      health_.unknown[key] = answer.reason();
    }
  }

  // Adds to what is there, so that several links make one number.
  void count(const char* key, const Answer<std::uint64_t>& answer) {
    if (answer) {
      health_.error_counters[key] += *answer;
    } else {
      health_.unknown[key] = answer.reason();
    }
  }

  void look_at_clocks() {
    const auto reasons = device_.event_reasons();
    if (reasons) {
      health_.clock_reasons = event_reason_names(*reasons);
    } else {
      health_.unknown[kClockReasons] = reasons.reason();
    }
  }

  void look_at_memory() {
    const auto memory = device_.memory();
    if (memory) {
      health_.readings[kMemoryUsed] = (*memory).used.value();
    } else {
      health_.unknown[kMemoryUsed] = memory.reason();
    }
  }

  void look_at_links() {
    const auto links = device_.links();
    if (!links) {
      health_.unknown["nvlinks_active"] = links.reason();
      return;
    }
    double active = 0;
    for (const NvLink& link : *links) {
      if (!link.active) continue;
      active += 1;
      for (const auto& [error, key] : kLinkErrors) {
        count(key, device_.link_errors(link.number, error));
      }
    }
    health_.readings["nvlinks_active"] = active;
  }

  // In a container the list may lack all processes, or hold the machine's ids in place of ours:
  // where our own rank is missing, only ids of processes that are here can be told from ours.
  void look_for_others(const std::vector<pid_t>& ours) {
    const auto listed = device_.process_ids();
    if (!listed) {
      health_.unknown[kOtherProcesses] = listed.reason();
      return;
    }
    const auto is_ours = [&](pid_t id) {
      return std::find(ours.begin(), ours.end(), id) != ours.end();
    };
    const auto is_here = [](pid_t id) {
      return access(fmt::format("/proc/{}", id).c_str(), F_OK) == 0;
    };
    const auto others = std::count_if((*listed).begin(), (*listed).end(),
                                      [&](pid_t id) { return !is_ours(id) && is_here(id); });
    if (others == 0 && std::none_of((*listed).begin(), (*listed).end(), is_ours)) {
      health_.unknown[kOtherProcesses] =
          "whether others use them, since the driver's list lacks this run's own processes";
      return;
    }
    health_.other_processes = static_cast<int>(others);
  }

  NvmlDevice device_;
  DeviceHealth health_;
};

}  // namespace

NvmlWatch::NvmlWatch(Nvml nvml, std::vector<std::string> addresses)
    : nvml_(std::move(nvml)), addresses_(std::move(addresses)) {}

std::vector<DeviceHealth> NvmlWatch::look(const std::vector<pid_t>& ours) {
  std::vector<DeviceHealth> all;
  for (std::size_t rank = 0; rank < addresses_.size(); ++rank) {
    const auto device = nvml_.find(addresses_[rank]);
    if (device) {
      all.push_back(Examination(static_cast<int>(rank), *device).run(ours));
    } else {
      DeviceHealth unknown;
      unknown.rank = static_cast<int>(rank);
      unknown.unknown[kWholeHealth] = device.reason();
      all.push_back(std::move(unknown));
    }
  }
  return all;
}

}  // namespace splitbench::cuda
