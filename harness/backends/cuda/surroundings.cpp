#include "harness/backends/cuda/surroundings.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "harness/backends/cuda/environment.h"

namespace splitbench::cuda {
namespace {

namespace fs = std::filesystem;

constexpr Bytes kContainerDefault(64.0 * 1024 * 1024);  // of Docker, as of Kubernetes
constexpr Bytes kAdvised(1024.0 * 1024 * 1024);

bool is_device_file(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("nvidia") && name.size() > 6 &&
         std::all_of(name.begin() + 6, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

CheckResult look_at_device_files(const fs::path& directory, Examiner& examiner) {
  constexpr const char* kCheck = "device-files";
  std::vector<std::string> closed;
  int count = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    if (!is_device_file(entry.path())) continue;
    ++count;
    if (access(entry.path().c_str(), R_OK | W_OK) != 0) closed.push_back(entry.path().string());
  }
  if (error) return not_known(kCheck, directory.string() + ": " + error.message());
  if (count == 0) {
    return not_known(kCheck,
                     fmt::format("{}/nvidia0 and on are not there: no driver, or another way to it",
                                 directory.string()),
                     "in a container start it with --gpus all; else check 'nvidia-smi'");
  }
  examiner.learned("device_files", count);
  if (!closed.empty()) {
    return failed(kCheck, fmt::format("{} may not be read and written", fmt::join(closed, ", ")),
                  "start the container with --gpus all, or join the group that owns these files");
  }
  return passed(kCheck, fmt::format("{} of them", count));
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

CheckResult look_at_kernel_driver(const Places& places) {
  constexpr const char* kCheck = "kernel-driver";
  for (const fs::path& file :
       {places.system / "module/nvidia/version", places.processes / "driver/nvidia/version"}) {
    const std::string line = first_line(file);
    if (!line.empty()) return passed(kCheck, line);
  }
  return not_known(kCheck,
                   fmt::format("neither {} nor {} can be read",
                               (places.system / "module/nvidia/version").string(),
                               (places.processes / "driver/nvidia/version").string()),
                   "install the NVIDIA driver on the machine, and load it: modprobe nvidia");
}

CheckResult look_at_shared_memory(const fs::path& directory) {
  struct statvfs file_system {};
  if (statvfs(directory.c_str(), &file_system) != 0) {
    return failed("shared-memory", fmt::format("{}: {}", directory.string(), std::strerror(errno)),
                  "mount a tmpfs there; in a container --shm-size=1g");
  }
  return judge_shared_memory(
      Bytes(static_cast<double>(file_system.f_bavail) * static_cast<double>(file_system.f_frsize)));
}

std::string limit_text(rlim_t limit) {
  return limit == RLIM_INFINITY ? "no limit" : fmt::format("{}", limit);
}

CheckResult look_at_limits() {
  constexpr const char* kCheck = "container-limits";
  constexpr rlim_t kFiles = 1024;
  constexpr rlim_t kProcesses = 256;
  constexpr rlim_t kLocked = rlim_t{64} << 20;
  rlimit files{};
  rlimit processes{};
  rlimit locked{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || getrlimit(RLIMIT_NPROC, &processes) != 0 ||
      getrlimit(RLIMIT_MEMLOCK, &locked) != 0) {
    return not_known(kCheck, std::strerror(errno));
  }
  const std::string seen =
      fmt::format("files {}, processes {}, locked memory {} bytes", limit_text(files.rlim_cur),
                  limit_text(processes.rlim_cur), limit_text(locked.rlim_cur));
  if (files.rlim_cur < kFiles) return warned(kCheck, seen, "ulimit -n 4096");
  if (processes.rlim_cur < kProcesses) return warned(kCheck, seen, "ulimit -u 4096");
  if (locked.rlim_cur < kLocked && geteuid() != 0) {
    return warned(kCheck, seen, "ulimit -l unlimited, in a container --ulimit memlock=-1");
  }
  return passed(kCheck, seen);
}

// Context for the check of peer data, which decides: copies fail with it and without it.
CheckResult look_at_iommu(const Places& places) {
  constexpr const char* kCheck = "iommu";
  const fs::path groups = places.system / "kernel/iommu_groups";
  std::error_code error;
  const auto listed = fs::directory_iterator(groups, error);
  if (error) return not_known(kCheck, groups.string() + ": " + error.message());
  const auto count = std::distance(begin(listed), end(listed));
  if (count == 0) return passed(kCheck, "no groups in " + groups.string());
  return warned(kCheck, fmt::format("{} groups in {}", count, groups.string()),
                "if peer-data fails: switch off ACS or the IOMMU (iommu=pt) in BIOS or kernel");
}

CheckResult look_at_environment() {
  constexpr const char* kCheck = "environment";
  if (const auto refused = refused_variable()) {
    return failed(kCheck, refused->reason(), refused->mend());
  }
  const std::vector<std::string> noteworthy = noteworthy_variables();
  if (noteworthy.empty()) return passed(kCheck, "none");
  return warned(kCheck, fmt::format("set: {}", fmt::join(noteworthy, ", ")),
                fmt::format("unset {}, unless they are meant", fmt::join(noteworthy, " ")));
}

}  // namespace

CheckResult judge_shared_memory(Bytes free) {
  constexpr const char* kCheck = "shared-memory";
  const std::string seen = fmt::format("{:.0f} MiB free", free.value() / (1024.0 * 1024.0));
  constexpr const char* kMend = "start the container with --shm-size=1g (or --ipc=host)";
  if (free <= kContainerDefault) return failed(kCheck, seen, kMend);
  if (free < kAdvised) return warned(kCheck, seen, kMend);
  return passed(kCheck, "more than 1 GiB free");
}

void examine_surroundings(const Places& places, Examiner& examiner) {
  examiner.looks("device-files", "looking at " + places.devices.string());
  examiner.found(look_at_device_files(places.devices, examiner));
  examiner.looks("kernel-driver", "reading the version of the kernel's module");
  examiner.found(look_at_kernel_driver(places));
  examiner.looks("shared-memory", "looking at " + places.shared_memory.string());
  examiner.found(look_at_shared_memory(places.shared_memory));
  examiner.looks("container-limits", "asking for limits");
  examiner.found(look_at_limits());
  examiner.looks("iommu", "looking at " + places.system.string());
  examiner.found(look_at_iommu(places));
  examiner.looks("environment", "looking at the environment");
  examiner.found(look_at_environment());
}

}  // namespace splitbench::cuda
