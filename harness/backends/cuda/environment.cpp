#include "harness/backends/cuda/environment.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <istream>
#include <string_view>

namespace splitbench::cuda {
namespace {

struct Refused {
  std::string_view prefix;    // of the name
  std::string_view harmless;  // a value that changes nothing
  std::string_view reason;
};

constexpr std::array<Refused, 4> kRefused{{
    {"CUDA_LAUNCH_BLOCKING", "0", "every launch would wait for the device"},
    {"NVIDIA_TF32_OVERRIDE", "", "products would not be computed in the type that is asked for"},
    {"CUBLAS_EMULAT", "",
     "products could be computed by emulation, not in the type that is asked "
     "for"},
    {"NCCL_COMM_BLOCKING", "1", "an all-reduce could end after the stamp that should follow it"},
}};

// What a careful user sets, or a machine needs.
constexpr std::array<std::string_view, 6> kHarmless{
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_HOME", "CUDA_PATH",
    "NCCL_SOCKET_IFNAME",   "NCCL_RAS_ENABLE"};
constexpr std::array<std::string_view, 4> kNoteworthy{"CUDA_", "NCCL_", "CUBLAS", "LD_PRELOAD"};

constexpr std::array<std::string_view, 3> kRecorded{"CUDA_", "NCCL_", "CUBLAS"};

// Whose values say how it was measured, and cannot name a person, a host or a path.
constexpr std::array<std::string_view, 15> kRecordedWithValue{"CUDA_DEVICE_MAX_CONNECTIONS",
                                                              "CUDA_MODULE_LOADING",
                                                              "CUDA_VISIBLE_DEVICES",
                                                              "NCCL_ALGO",
                                                              "NCCL_DEBUG",
                                                              "NCCL_IB_DISABLE",
                                                              "NCCL_MAX_NCHANNELS",
                                                              "NCCL_MIN_NCHANNELS",
                                                              "NCCL_NET",
                                                              "NCCL_NTHREADS",
                                                              "NCCL_P2P_DISABLE",
                                                              "NCCL_PROTO",
                                                              "NCCL_RAS_ENABLE",
                                                              "NCCL_SHM_DISABLE",
                                                              "NCCL_SOCKET_IFNAME"};

constexpr const char* kNameAlone = "(set)";

bool has_recorded_value(std::string_view name) {
  return std::find(kRecordedWithValue.begin(), kRecordedWithValue.end(), name) !=
         kRecordedWithValue.end();
}

using Variables = std::map<std::string, std::string>;

// "NAME=value", unless there is one of that name.
void add_entry(Variables& all, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals != text.npos) all.emplace(text.substr(0, equals), text.substr(equals + 1));
}

Variables variables() {
  Variables all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    add_entry(all, *entry);
  }
  return all;
}

// A line each; nothing of a file that is not there.
void add_file(Variables& all, const std::string& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with('#')) add_entry(all, line);
  }
}

std::string own_file_of_nccl(const Variables& variables) {
  const auto named = variables.find("NCCL_CONF_FILE");
  if (named != variables.end() && !named->second.empty()) return named->second;
  const passwd* user = getpwuid(getuid());
  return user == nullptr ? std::string() : std::string(user->pw_dir) + "/.nccl.conf";
}

}  // namespace

std::optional<CannotRunHere> refused_variable() {
  for (const auto& [name, value] : variables()) {
    for (const Refused& refused : kRefused) {
      if (!name.starts_with(refused.prefix) || value.empty() || value == refused.harmless) {
        continue;
      }
      return CannotRunHere(fmt::format("{} is set to '{}': {}", name, value, refused.reason),
                           "unset " + name);
    }
  }
  return std::nullopt;
}

std::vector<std::string> noteworthy_variables() {
  std::vector<std::string> names;
  for (const auto& variable : variables()) {
    const std::string& name = variable.first;
    if (std::find(kHarmless.begin(), kHarmless.end(), name) != kHarmless.end()) continue;
    if (std::any_of(kNoteworthy.begin(), kNoteworthy.end(),
                    [&](std::string_view prefix) { return name.starts_with(prefix); })) {
      names.push_back(name);
    }
  }
  return names;
}

std::vector<std::string> rank_environment(bool share_a_device) {
  const auto there = variables();
  std::vector<std::string> added;
  for (const auto& [name, value] :
       {std::pair("NCCL_RAS_ENABLE", "0"), std::pair("NCCL_SOCKET_IFNAME", "lo")}) {
    if (!there.contains(name)) added.push_back(fmt::format("{}={}", name, value));
  }
  if (share_a_device) {
    for (const char* entry : {"NCCL_P2P_DISABLE=1", "NCCL_SHM_DISABLE=1", "NCCL_NET=Socket"}) {
      added.emplace_back(entry);
    }
  }
  return added;
}

std::vector<std::string> staged_environment(bool share_a_device) {
  std::vector<std::string> added = rank_environment(share_a_device);
  if (!share_a_device) added.emplace_back("NCCL_P2P_DISABLE=1");
  return added;
}

std::map<std::string, std::string> variables_of_ranks(const std::vector<std::string>& added) {
  Variables all;
  for (const std::string& entry : added) add_entry(all, entry);
  all.merge(variables());
  add_file(all, own_file_of_nccl(all));
  add_file(all, "/etc/nccl.conf");
  return all;
}

void claim_own_host(int rank) {
  setenv("NCCL_HOSTID", fmt::format("splitbench-rank-{}", rank).c_str(), 1);
}

nlohmann::ordered_json recorded_environment() {
  nlohmann::ordered_json recorded = nlohmann::ordered_json::object();
  for (const auto& [name, value] : variables()) {
    for (const std::string_view prefix : kRecorded) {
      if (name.starts_with(prefix)) recorded[name] = has_recorded_value(name) ? value : kNameAlone;
    }
  }
  return recorded;
}

}  // namespace splitbench::cuda
