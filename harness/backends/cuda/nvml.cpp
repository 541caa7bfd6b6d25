#include "harness/backends/cuda/nvml.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

// Declarations of our own, of what is used and no more. Source: the public nvml.h, API 13.
// Names without a suffix are those of the oldest layouts, so suffixed names are asked for first.

namespace splitbench::cuda {
namespace {

using Handle = NvmlDeviceHandle*;
using Code = int;

constexpr Code kSuccess = 0;
constexpr Code kInvalidArgument = 2;
constexpr Code kNotSupported = 3;
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;
constexpr int kGpuSensor = 0;
constexpr int kSinceDriverLoad = 0;
constexpr unsigned kMostLinks = 64;  // API 13 knows 36: asked until a link is refused

constexpr unsigned tag(std::size_t size, unsigned version) {
  return static_cast<unsigned>(size) | version << 24;
}

struct Temperature {  // nvmlTemperature_v1_t
  unsigned version;
  int sensor;
  int celsius;
};
static_assert(sizeof(Temperature) == 12 && offsetof(Temperature, sensor) == 4 &&
              offsetof(Temperature, celsius) == 8 && tag(sizeof(Temperature), 1) == 0x100000c);

struct MemoryV1 {  // nvmlMemory_t
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};
static_assert(sizeof(MemoryV1) == 24 && offsetof(MemoryV1, free) == 8 &&
              offsetof(MemoryV1, used) == 16);

struct MemoryV2 {  // nvmlMemory_v2_t: what the driver reserves is not among `used`
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};
static_assert(sizeof(MemoryV2) == 40 && offsetof(MemoryV2, total) == 8 &&
              offsetof(MemoryV2, reserved) == 16 && offsetof(MemoryV2, free) == 24 &&
              offsetof(MemoryV2, used) == 32 && tag(sizeof(MemoryV2), 2) == 0x2000028);

// nvmlProcessInfo: 16 bytes at first, 24 in version 2 and 3, but 32 in version 3 of some drivers of
// 2023. The process id stands first in all of them.
constexpr std::array<std::size_t, 3> kProcessStrides{16, 24, 32};
constexpr std::size_t kMostProcesses = 256;
static_assert(sizeof(pid_t) == 4);

}  // namespace

struct NvmlFunctions {
  explicit NvmlFunctions(void* opened) : library(opened) {}
  NvmlFunctions(const NvmlFunctions&) = delete;
  NvmlFunctions& operator=(const NvmlFunctions&) = delete;
  ~NvmlFunctions() {
    if (started && shutdown.call != nullptr) shutdown.call();
    dlclose(library);
  }

  // A function of the library under the first of its names that is there.
  template <class... Arguments>
  struct Function {
    Function(void* from, std::initializer_list<const char*> names) : name(*names.begin()) {
      for (const char* candidate : names) {
        if (void* found = dlsym(from, candidate); found != nullptr) {
          call = reinterpret_cast<Code (*)(Arguments...)>(found);
          return;
        }
      }
    }
    const char* name;
    Code (*call)(Arguments...) = nullptr;
  };

  // Why a call gave nothing; empty where it did.
  template <class... Arguments, class... Given>
  std::string failure(const Function<Arguments...>& function, Given... given) const {
    if (function.call == nullptr) return fmt::format("{} is not in this library", function.name);
    const Code code = function.call(given...);
    return code == kSuccess ? std::string() : explain(function.name, code);
  }

  std::string explain(std::string_view function, Code code) const {
    const char* text = error_string == nullptr ? nullptr : error_string(code);
    return fmt::format("{}: {} ({})", function, text == nullptr ? "no text" : text, code);
  }

  void* library;
  bool started = false;
  const char* (*error_string)(Code) =
      reinterpret_cast<const char* (*)(Code)>(dlsym(library, "nvmlErrorString"));
  Function<> init{library, {"nvmlInit_v2", "nvmlInit"}};
  Function<> shutdown{library, {"nvmlShutdown"}};
  Function<char*, unsigned> driver_version{library, {"nvmlSystemGetDriverVersion"}};
  Function<const char*, Handle*> by_pci_address{
      library, {"nvmlDeviceGetHandleByPciBusId_v2", "nvmlDeviceGetHandleByPciBusId"}};
  Function<Handle, char*, unsigned> uuid{library, {"nvmlDeviceGetUUID"}};
  Function<Handle, int, unsigned*> clock{library, {"nvmlDeviceGetClockInfo"}};
  Function<Handle, unsigned long long*> event_reasons{
      library,
      {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}};
  Function<Handle, Temperature*> temperature{library, {"nvmlDeviceGetTemperatureV"}};
  Function<Handle, int, unsigned*> old_temperature{library, {"nvmlDeviceGetTemperature"}};
  Function<Handle, unsigned*> power{library, {"nvmlDeviceGetPowerUsage"}};
  Function<Handle, unsigned long long*> energy{library, {"nvmlDeviceGetTotalEnergyConsumption"}};
  Function<Handle, int, int, unsigned long long*> memory_errors{library,
                                                                {"nvmlDeviceGetTotalEccErrors"}};
  Function<Handle, unsigned*> pcie_generation{library, {"nvmlDeviceGetCurrPcieLinkGeneration"}};
  Function<Handle, unsigned*> pcie_width{library, {"nvmlDeviceGetCurrPcieLinkWidth"}};
  Function<Handle, unsigned*> pcie_replays{library, {"nvmlDeviceGetPcieReplayCounter"}};
  Function<Handle, unsigned, int*> link_state{library, {"nvmlDeviceGetNvLinkState"}};
  Function<Handle, unsigned, int, unsigned long long*> link_errors{
      library, {"nvmlDeviceGetNvLinkErrorCounter"}};
  Function<Handle, MemoryV2*> memory{library, {"nvmlDeviceGetMemoryInfo_v2"}};
  Function<Handle, MemoryV1*> old_memory{library, {"nvmlDeviceGetMemoryInfo"}};
  Function<Handle, unsigned*, void*> processes{
      library,
      {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
       "nvmlDeviceGetComputeRunningProcesses"}};
};

namespace {

// The reading of a call whose last argument is where the value goes.
template <class Value, class Function, class... Given>
Answer<Value> reading(const NvmlFunctions& functions, const Function& function, Given... given) {
  Value value{};
  if (std::string failure = functions.failure(function, given..., &value); !failure.empty()) {
    return Answer<Value>::none(std::move(failure));
  }
  return value;
}

template <class From>
Answer<double> scaled(const Answer<From>& answer, double unit) {
  if (!answer) return Answer<double>::none(answer.reason());
  return unit * static_cast<double>(*answer);
}

template <class To, class From>
Answer<To> as(const Answer<From>& answer) {
  if (!answer) return Answer<To>::none(answer.reason());
  return static_cast<To>(*answer);
}

template <class Function, class... Given>
Answer<std::string> text(const NvmlFunctions& functions, const Function& function, Given... given) {
  std::array<char, 96> buffer{};
  const auto size = static_cast<unsigned>(buffer.size() - 1);
  if (std::string failure = functions.failure(function, given..., buffer.data(), size);
      !failure.empty()) {
    return Answer<std::string>::none(std::move(failure));
  }
  return std::string(buffer.data());
}

// The length of one entry of `count`, from how much of the buffer was written; 0 where it is none
// of the known ones.
std::size_t stride_of(std::span<const unsigned char> buffer, unsigned char untouched,
                      std::size_t count) {
  const auto last = std::find_if(buffer.rbegin(), buffer.rend(),
                                 [untouched](unsigned char byte) { return byte != untouched; });
  const auto written = static_cast<std::size_t>(buffer.rend() - last);
  const auto* stride = std::find_if(kProcessStrides.begin(), kProcessStrides.end(),
                                    [&](std::size_t size) { return size * count == written; });
  return stride == kProcessStrides.end() ? 0 : *stride;
}

std::string file_of(void* symbol) {
  Dl_info info{};
  return dladdr(symbol, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

}  // namespace

Answer<std::string> NvmlDevice::uuid() const {
  return text(*functions_, functions_->uuid, handle_);
}

Answer<double> NvmlDevice::sm_clock_hz() const {
  return scaled(reading<unsigned>(*functions_, functions_->clock, handle_, kSmClock), 1e6);
}

Answer<double> NvmlDevice::memory_clock_hz() const {
  return scaled(reading<unsigned>(*functions_, functions_->clock, handle_, kMemoryClock), 1e6);
}

Answer<std::uint64_t> NvmlDevice::event_reasons() const {
  return as<std::uint64_t>(
      reading<unsigned long long>(*functions_, functions_->event_reasons, handle_));
}

Answer<double> NvmlDevice::temperature_celsius() const {
  Temperature now{.version = tag(sizeof(Temperature), 1), .sensor = kGpuSensor, .celsius = 0};
  if (functions_->failure(functions_->temperature, handle_, &now).empty()) {
    return static_cast<double>(now.celsius);
  }
  return as<double>(
      reading<unsigned>(*functions_, functions_->old_temperature, handle_, kGpuSensor));
}

Answer<double> NvmlDevice::power_watts() const {
  return scaled(reading<unsigned>(*functions_, functions_->power, handle_), 1e-3);
}

Answer<double> NvmlDevice::energy_joules() const {
  return scaled(reading<unsigned long long>(*functions_, functions_->energy, handle_), 1e-3);
}

Answer<std::uint64_t> NvmlDevice::memory_errors(MemoryErrors errors) const {
  return as<std::uint64_t>(reading<unsigned long long>(
      *functions_, functions_->memory_errors, handle_, static_cast<int>(errors), kSinceDriverLoad));
}

Answer<unsigned> NvmlDevice::pcie_generation() const {
  return reading<unsigned>(*functions_, functions_->pcie_generation, handle_);
}

Answer<unsigned> NvmlDevice::pcie_width() const {
  return reading<unsigned>(*functions_, functions_->pcie_width, handle_);
}

Answer<std::uint64_t> NvmlDevice::pcie_replays() const {
  return as<std::uint64_t>(reading<unsigned>(*functions_, functions_->pcie_replays, handle_));
}

Answer<std::vector<NvLink>> NvmlDevice::links() const {
  std::vector<NvLink> links;
  const auto& state = functions_->link_state;
  if (state.call == nullptr) {
    return Answer<std::vector<NvLink>>::none(functions_->failure(state, handle_, 0U, nullptr));
  }
  for (unsigned link = 0; link < kMostLinks; ++link) {
    int active = 0;
    const Code code = state.call(handle_, link, &active);
    if (link > 0 && (code == kInvalidArgument || code == kNotSupported)) break;
    if (code != kSuccess) {
      return Answer<std::vector<NvLink>>::none(functions_->explain(state.name, code));
    }
    links.push_back({.number = link, .active = active != 0});
  }
  return links;
}

Answer<std::uint64_t> NvmlDevice::link_errors(unsigned link, NvLinkError error) const {
  return as<std::uint64_t>(reading<unsigned long long>(*functions_, functions_->link_errors,
                                                       handle_, link, static_cast<int>(error)));
}

Answer<NvmlMemory> NvmlDevice::memory() const {
  MemoryV2 now{};
  now.version = tag(sizeof(MemoryV2), 2);
  if (functions_->failure(functions_->memory, handle_, &now).empty()) {
    return NvmlMemory{.total = Bytes(static_cast<double>(now.total)),
                      .used = Bytes(static_cast<double>(now.used))};
  }
  const auto old = reading<MemoryV1>(*functions_, functions_->old_memory, handle_);
  if (!old) return Answer<NvmlMemory>::none(old.reason());
  return NvmlMemory{.total = Bytes(static_cast<double>((*old).total)),
                    .used = Bytes(static_cast<double>((*old).used))};
}

Answer<std::vector<pid_t>> NvmlDevice::process_ids() const {
  // Room for the longest entries and more, so that no driver's layout overruns it.
  constexpr unsigned char kUntouched = 0xa5;
  std::vector<unsigned char> buffer((kMostProcesses + 1) * kProcessStrides.back(), kUntouched);
  auto count = static_cast<unsigned>(kMostProcesses);
  if (std::string failure =
          functions_->failure(functions_->processes, handle_, &count, buffer.data());
      !failure.empty()) {
    return Answer<std::vector<pid_t>>::none(std::move(failure));
  }
  if (count == 0) return std::vector<pid_t>();
  const std::size_t stride = stride_of(buffer, kUntouched, count);
  if (stride == 0) {
    return Answer<std::vector<pid_t>>::none(
        fmt::format("{}: {} entries of no known length", functions_->processes.name, count));
  }
  std::vector<pid_t> ids(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&ids[i], buffer.data() + i * stride, sizeof(pid_t));
  }
  return ids;
}

Nvml::Nvml(const std::string& library) {
  void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* why = dlerror();
    reason_ = why == nullptr ? library + " cannot be loaded" : why;
    return;
  }
  auto functions = std::make_shared<NvmlFunctions>(opened);
  library_path_ = file_of(reinterpret_cast<void*>(functions->init.call));
  reason_ = functions->failure(functions->init);
  functions->started = reason_.empty();
  functions_ = std::move(functions);
}

Answer<std::string> Nvml::driver_version() const {
  if (!reason_.empty()) return Answer<std::string>::none(reason_);
  return text(*functions_, functions_->driver_version);
}

Answer<NvmlDevice> Nvml::find(const std::string& pci_address) const {
  if (!reason_.empty()) return Answer<NvmlDevice>::none(reason_);
  const auto handle = reading<Handle>(*functions_, functions_->by_pci_address, pci_address.c_str());
  if (!handle) return Answer<NvmlDevice>::none(handle.reason());
  return NvmlDevice(*functions_, *handle);
}

std::vector<std::string> event_reason_names(std::uint64_t bits) {
  static constexpr std::array<std::pair<std::uint64_t, const char*>, 9> kNames{{
      {0x1, "idle"},
      {0x2, "application_clocks"},
      {0x4, "software_power_cap"},
      {0x8, "hardware_slowdown"},
      {0x10, "sync_boost"},
      {0x20, "software_thermal_slowdown"},
      {0x40, "hardware_thermal_slowdown"},
      {0x80, "hardware_power_brake"},
      {0x100, "display_clocks"},
  }};
  std::vector<std::string> names;
  for (const auto& [bit, name] : kNames) {
    if ((bits & bit) != 0) names.emplace_back(name);
    bits &= ~bit;
  }
  if (bits != 0) names.push_back(fmt::format("{:#x}", bits));
  return names;
}

}  // namespace splitbench::cuda
