// Looking at the devices of a session from a process of its own (`splitbench health`): calls of a
// driver's management library can hang, and must neither hold up a rank nor the supervisor.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/error.h"
#include "harness/process/child_process.h"
#include "harness/rank/channel.h"
#include "model/quantity.h"
#include "results/device_health.h"

namespace splitbench {

// As its supervisor holds it. Its silence or end makes health unknown and ends no session.
class HealthProcess {
 public:
  // Starts it, to watch one device per rank. Throws HarnessError.
  HealthProcess(const std::string& program, const std::filesystem::path& module,
                const std::vector<std::string>& devices,
                const std::vector<std::string>& environment, Seconds patience = Seconds(10));

  // One per rank; waits no longer than `patience`. After a failure it is not asked again, and all
  // is unknown for that reason.
  std::vector<DeviceHealth> look(const std::vector<pid_t>& ours);

 private:
  HealthProcess(const std::string& program, const std::filesystem::path& module,
                const std::vector<std::string>& devices,
                const std::vector<std::string>& environment, Seconds patience, Pipe answers,
                Pipe questions);

  std::vector<DeviceHealth> answer();

  std::size_t devices_;
  Seconds patience_;
  std::string failure_;
  FileDescriptor answers_;
  FileDescriptor questions_;
  FrameReader reader_;
  ChildProcess process_;
};

// What `splitbench health` does: loads the module, answers until nobody asks. Ends when `parent`
// does. Returns an exit status: 0, or 5 after a fault, which it said on standard error.
int run_health_process(const std::filesystem::path& module, const std::vector<std::string>& devices,
                       pid_t parent);

}  // namespace splitbench
