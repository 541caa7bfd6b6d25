#include "harness/preflight/examination.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace splitbench {
namespace {

constexpr std::array<Named<Risk>, 7> kRisks{{
    {Risk::surroundings, "surroundings", "files of the system and the environment"},
    {Risk::management, "management", "the driver's management library"},
    {Risk::runtime, "runtime", "the runtime and the library of products"},
    {Risk::peers, "peers", "bytes from device to device"},
    {Risk::collective, "collective", "a first all-reduce"},
    {Risk::staged, "staged", "a first all-reduce without peer access"},
    {Risk::copies, "copies", "how fast copies are"},
}};

constexpr std::array<Check, 22> kChecks{{
    {"device-files", Risk::surroundings, "a readable and writable file per device", false},
    {"kernel-driver", Risk::surroundings, "a loaded kernel module", false},
    {"shared-memory", Risk::surroundings, "1 GiB free in /dev/shm, more than 64 MiB of it", true},
    {"container-limits", Risk::surroundings, "room for processes, files and locked memory", false},
    {"iommu", Risk::surroundings, "no translation of the devices' addresses", false},
    {"environment", Risk::surroundings, "no variable that changes numbers or times", true},
    {"management-library", Risk::management, "a library of the running driver's version", false},
    {"compute-mode", Risk::management, "mode Default", true},
    {"mig", Risk::management, "devices that are not divided (MIG off)", true},
    {"memory-errors", Risk::management, "no error that ECC could not correct", false},
    {"other-processes", Risk::management, "no process but ours on the devices", false},
    {"module", Risk::runtime, "a module of this program and the libraries that it needs", true},
    {"driver-version", Risk::runtime, "a driver that knows this runtime", true},
    {"device-count", Risk::runtime,
     "as many devices as asked for, alike by every source that knows", true},
    {"distinct-devices", Risk::runtime, "devices that all differ", true},
    {"first-kernel", Risk::runtime, "a kernel that runs on each device", true},
    {"free-memory", Risk::runtime, "three quarters of each device's memory free", false},
    {"products", Risk::runtime, "a library of products that starts", true},
    {"peer-access", Risk::peers, "every device may reach every other's memory", false},
    {"peer-data", Risk::peers, "every byte that is sent arrives, and no other changes", true},
    {"all-reduce", Risk::collective, "the right sum on every rank", true},
    {"all-reduce-staged", Risk::staged, "the right sum on every rank, without peer access", false},
}};

CheckResult result(std::string_view check, CheckStatus status, std::string seen, std::string mend) {
  return {.check = std::string(check),
          .status = status,
          .seen = std::move(seen),
          .wanted = std::string(known_check(check).wanted),
          .mend = std::move(mend)};
}

}  // namespace

std::span<const Named<Risk>> risks() {
  return kRisks;
}

std::span<const Check> known_checks() {
  return kChecks;
}

const Check& known_check(std::string_view name) {
  const auto* found = std::find_if(kChecks.begin(), kChecks.end(),
                                   [name](const Check& check) { return check.name == name; });
  if (found == kChecks.end()) throw std::out_of_range("no check '" + std::string(name) + "'");
  return *found;
}

CheckResult passed(std::string_view check, std::string seen) {
  return result(check, CheckStatus::pass, std::move(seen), {});
}

CheckResult warned(std::string_view check, std::string seen, std::string mend) {
  return result(check, CheckStatus::warn, std::move(seen), std::move(mend));
}

CheckResult failed(std::string_view check, std::string seen, std::string mend) {
  return result(check, CheckStatus::fail, std::move(seen), std::move(mend));
}

CheckResult faulty(std::string_view check, std::string seen, std::string mend) {
  CheckResult wrong = failed(check, std::move(seen), std::move(mend));
  wrong.fault = true;
  return wrong;
}

CheckResult not_known(std::string_view check, std::string why, std::string mend) {
  return result(check, CheckStatus::unknown, std::move(why), std::move(mend));
}

CheckResult about(std::string device, CheckResult result) {
  result.devices = {std::move(device)};
  return result;
}

}  // namespace splitbench
