#include "harness/supervisor/rank_handle.h"

#include <unistd.h>

#include <utility>

#include "harness/rank/rank_process.h"

namespace splitbench {

RankHandle::RankHandle(const std::string& program, int rank,
                       const std::vector<std::string>& environment, int region_fd)
    : RankHandle(program, rank, environment, region_fd, make_pipe(), make_pipe()) {}

// The ends that the process was given are closed here when the pipes go.
RankHandle::RankHandle(const std::string& program, int rank,
                       const std::vector<std::string>& environment, int region_fd, Pipe report,
                       Pipe orders)
    : report_(std::move(report.read)),
      orders_(std::move(orders.write)),
      process_({.program = program,
                .arguments = {"splitbench", "rank", "--rank", std::to_string(rank), "--parent",
                              std::to_string(getpid())},
                .environment = environment,
                .descriptors = {{.ours = region_fd, .its = kRegionFd},
                                {.ours = report.write.get(), .its = kReportFd},
                                {.ours = orders.read.get(), .its = kOrdersFd}}}) {}

}  // namespace splitbench
