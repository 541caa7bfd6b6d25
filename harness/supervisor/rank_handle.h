// A rank process as its supervisor holds it: the process, the pipe it reports on, and the one it
// is answered on.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "harness/process/child_process.h"
#include "harness/rank/channel.h"
#include "harness/rank/messages.h"

namespace splitbench {

class RankHandle {
 public:
  // Starts it. Throws HarnessError.
  RankHandle(const std::string& program, int rank, const std::vector<std::string>& environment,
             int region_fd);

  int report_fd() const { return report_.get(); }  // -1 once it is closed
  FrameReader& reader() { return reader_; }
  void tell(const Reply& reply) const { send_frame(orders_.get(), encode(reply)); }

  void close_report() {
    report_.reset();
    closed_at_ = std::chrono::steady_clock::now();
  }
  std::chrono::steady_clock::time_point closed_at() const { return closed_at_; }
  ChildProcess& process() { return process_; }
  const ChildProcess& process() const { return process_; }

 private:
  RankHandle(const std::string& program, int rank, const std::vector<std::string>& environment,
             int region_fd, Pipe report, Pipe orders);

  FileDescriptor report_;
  FileDescriptor orders_;
  FrameReader reader_;
  std::chrono::steady_clock::time_point closed_at_;
  ChildProcess process_;
};

}  // namespace splitbench
