#include "harness/rank_process.h"

#include <csignal>
#include <exception>
#include <memory>

#include "harness/channel.h"
#include "harness/child_process.h"
#include "harness/module.h"
#include "harness/session.h"
#include "harness/shared_region.h"

namespace splitbench {
namespace {

class PipeCorrespondent final : public Correspondent {
 public:
  void send(const Report& report) override {
    if (!send_frame(kReportFd, encode(report))) throw HarnessError("the supervisor is gone");
  }
  Reply receive() override {
    const auto message = receive_frame(kOrdersFd);
    if (!message) throw HarnessError("the supervisor is gone");
    return decode_reply(*message);
  }
};

void run(int rank) {
  SharedRegion region = SharedRegion::attach(kRegionFd);
  const SessionOrder order = decode_order(nlohmann::json::parse(region.mail()));
  PipeCorrespondent supervisor;
  const std::unique_ptr<Node> node = load_module(order.module)
                                         .open({.rank = rank,
                                                .request = order.request,
                                                .shared = &region,
                                                .patience = order.patience});
  run_session(order, *node, region, rank == 0 ? &supervisor : nullptr);
}

}  // namespace

int run_rank_process(int rank, pid_t parent) {
  std::signal(SIGPIPE, SIG_IGN);
  if (!end_with(parent)) return 5;
  try {
    run(rank);
    return 0;
  } catch (const std::exception& error) {
    try {
      send_frame(kReportFd, encode(Failed{error.what()}));
    } catch (const std::exception&) {
      return 5;  // nobody is left to tell
    }
    return 5;
  }
}

}  // namespace splitbench
