// Checks and facts by NVML.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/backends/cuda/nvml.h"
#include "harness/backends/cuda/surroundings.h"

namespace splitbench::cuda {
namespace {

using Json = nlohmann::ordered_json;

struct Found {
  std::string address;
  NvmlDevice device;
};

template <class T>
Json json_of(const Answer<T>& answer) {
  return answer ? Json(*answer) : Json(nullptr);
}

// Devices that cannot be asked are left out, and the count differs.
std::vector<Found> all_devices(const Nvml& nvml, unsigned count) {
  std::vector<Found> found;
  for (unsigned index = 0; index < count; ++index) {
    const auto device = nvml.at(index);
    if (!device) continue;
    const auto address = (*device).pci_address();
    if (address) found.push_back({.address = *address, .device = *device});
  }
  return found;
}

// What a question about one device answers: how it is, and in which words.
struct Opinion {
  CheckStatus status = CheckStatus::pass;
  std::string words;
};

using Question = std::function<Opinion(const NvmlDevice&)>;

// An answer for each device: which of them count is for whoever knows what was asked for.
void ask_each(std::string_view check, const std::vector<Found>& devices, const Question& question,
              const std::string& mend, Examiner& examiner) {
  if (devices.empty()) examiner.found(not_known(check, "no device could be asked"));
  for (const Found& found : devices) {
    const Opinion opinion = question(found.device);
    CheckResult answer = passed(check, found.address + ": " + opinion.words);
    answer.status = opinion.status;
    if (opinion.status != CheckStatus::pass) answer.mend = mend;
    examiner.found(about(found.address, std::move(answer)));
  }
}

Opinion opinion_of_mode(const NvmlDevice& device) {
  const auto mode = device.compute_mode();
  if (!mode) return {CheckStatus::unknown, mode.reason()};
  if (*mode == ComputeMode::everybody) return {CheckStatus::pass, "Default"};
  return {CheckStatus::fail, *mode == ComputeMode::nobody ? "Prohibited" : "Exclusive_Process"};
}

Opinion opinion_of_division(const NvmlDevice& device) {
  const auto divided = device.is_divided();
  if (!divided) return {CheckStatus::unknown, divided.reason()};
  if (*divided) return {CheckStatus::fail, "MIG is on: slices of one device are no devices"};
  return {CheckStatus::pass, "off"};
}

Opinion opinion_of_memory(const NvmlDevice& device) {
  const auto errors = device.memory_errors(MemoryErrors::uncorrected);
  if (!errors) return {CheckStatus::unknown, errors.reason()};
  const std::string words = fmt::format("{} uncorrected", *errors);
  return {*errors == 0 ? CheckStatus::pass : CheckStatus::fail, words};
}

// The parent of a process; 0 where it is not here.
pid_t parent_of(pid_t process) {
  std::ifstream stream(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(stream, line);
  const std::size_t name_ends = line.rfind(')');  // a name may hold anything
  if (name_ends == std::string::npos) return 0;
  std::istringstream rest(line.substr(name_ends + 1));
  char state = 0;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

// The other processes of this preflight have the same parent. In a container the list may hold the
// ids of the machine around it, which say nothing here.
Opinion opinion_of_processes(const NvmlDevice& device) {
  const auto listed = device.process_ids();
  if (!listed) return {CheckStatus::unknown, listed.reason()};
  int others = 0;
  int elsewhere = 0;
  for (const pid_t process : *listed) {
    const pid_t parent = parent_of(process);
    if (process == getpid() || parent == getppid()) continue;
    ++(parent == 0 ? elsewhere : others);
  }
  if (others > 0) return {CheckStatus::warn, fmt::format("{} that are not ours", others)};
  if (elsewhere > 0) {
    return {CheckStatus::unknown,
            fmt::format("{} whose ids are not of this container: ours or others'", elsewhere)};
  }
  return {CheckStatus::pass, "none"};
}

// As the system numbers memory nodes; nothing where it has one, or does not say.
Json numa_node(std::string address) {
  std::transform(address.begin(), address.end(), address.begin(), [](char c) {
    return static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  });
  std::ifstream stream("/sys/bus/pci/devices/" + address + "/numa_node");
  int node = -1;
  stream >> node;
  return stream && node >= 0 ? Json(node) : Json(nullptr);
}

Json links_of(const NvmlDevice& device) {
  const auto links = device.links();
  if (!links) return nullptr;
  Json all = Json::array();
  for (const NvLink& link : *links) {
    all.push_back({{"active", link.active}, {"to", json_of(device.link_peer(link.number))}});
  }
  return all;
}

Json ancestors_of(const Found& from, const std::vector<Found>& devices) {
  Json ancestors = Json::object();
  for (const Found& to : devices) {
    const auto ancestor = from.device.common_ancestor(to.device);
    if (ancestor && to.address != from.address) ancestors[to.address] = static_cast<int>(*ancestor);
  }
  return ancestors;
}

Json describe(const Found& found, const std::vector<Found>& devices) {
  const NvmlDevice& device = found.device;
  return {{"pci_bus_id", found.address},
          {"uuid", json_of(device.uuid())},
          {"numa_node", numa_node(found.address)},
          {"pcie",
           {{"generation", json_of(device.pcie_generation())},
            {"width", json_of(device.pcie_width())},
            {"most_generation", json_of(device.most_pcie_generation())},
            {"most_width", json_of(device.most_pcie_width())}}},
          {"nvlinks", links_of(device)},
          {"nvlink_bytes_per_s", json_of(device.link_bytes_per_s())},
          {"common_ancestors", ancestors_of(found, devices)}};
}

void examine_devices(const std::vector<Found>& devices, Examiner& examiner) {
  examiner.looks("compute-mode", "NVML: asking for compute modes");
  ask_each("compute-mode", devices, opinion_of_mode,
           "nvidia-smi -c 0 (DEFAULT), as root on the machine", examiner);
  examiner.looks("mig", "NVML: asking for MIG modes");
  ask_each("mig", devices, opinion_of_division,
           "nvidia-smi -mig 0 as root, or use another device with --devices", examiner);
  examiner.looks("memory-errors", "NVML: asking for errors of memory");
  ask_each("memory-errors", devices, opinion_of_memory, "reset the device: nvidia-smi --gpu-reset",
           examiner);
  examiner.looks("other-processes", "NVML: asking for processes");
  ask_each("other-processes", devices, opinion_of_processes,
           "end them (nvidia-smi lists them), or use other devices with --devices", examiner);
  examiner.looks("management-library", "NVML: asking for links");
  Json all = Json::array();
  for (const Found& found : devices) all.push_back(describe(found, devices));
  examiner.learned("devices", std::move(all));
}

}  // namespace

void examine_management(Examiner& examiner) {
  constexpr const char* kCheck = "management-library";
  examiner.looks(kCheck, "NVML: loading and starting it");
  const Nvml nvml;
  const auto driver = nvml.driver_version();
  if (!driver) {
    const bool mismatch = nvml.reason().find("(18)") != std::string::npos;
    if (mismatch) {
      examiner.found(failed(kCheck, nvml.reason(),
                            "restart the node, or install libraries of the running driver's "
                            "version"));
    } else {
      examiner.found(not_known(kCheck, driver.reason(),
                               "install the driver's libnvidia-ml.so.1, in a container "
                               "NVIDIA_DRIVER_CAPABILITIES=compute,utility"));
    }
    return;
  }
  const auto count = nvml.device_count();
  if (!count) {
    examiner.found(not_known(kCheck, count.reason()));
    return;
  }
  examiner.learned("driver", *driver);
  examiner.learned("device_count", *count);
  const std::vector<Found> devices = all_devices(nvml, *count);
  examine_devices(devices, examiner);
  if (devices.size() < *count) {
    examiner.found(about(
        kNoAddress,
        faulty(kCheck,
               fmt::format("{} of {} devices do not answer: lost", *count - devices.size(), *count),
               "reset them (nvidia-smi --gpu-reset) or restart the node")));
  }
  examiner.found(passed(kCheck, fmt::format("driver {}", *driver)));
}

}  // namespace splitbench::cuda
