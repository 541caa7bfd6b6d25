#include "harness/rank/rank_process.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>

#include "harness/module.h"
#include "harness/process/child_process.h"
#include "harness/rank/channel.h"
#include "harness/rank/session.h"
#include "harness/rank/shared_region.h"

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

// A rank at work. It outlives a fault, so that this is reported before anything is let go.
class Rank {
 public:
  explicit Rank(int rank) : rank_(rank) {}

  void run() {
    region_.emplace(SharedRegion::attach(kRegionFd));
    const SessionOrder order = decode_order(nlohmann::json::parse(region_->mail()));
    PipeCorrespondent supervisor;
    node_ = load_module(order.module)
                .open({.rank = rank_,
                       .request = order.request,
                       .shared = &*region_,
                       .patience = order.patience,
                       .seed = order.seed,
                       .session = order.session});
    run_session(order, *node_, *region_, rank_ == 0 ? &supervisor : nullptr);
  }

  // Ends the process without letting go of anything: that could wait for a device that hangs.
  [[noreturn]] void fail(const char* message) {
    try {
      send_frame(kReportFd, encode(Failed{message}));
      if (node_) node_->abandon();
    } catch (const std::exception&) {
      std::_Exit(kFault);  // nobody is left to tell
    }
    std::_Exit(kFault);
  }

 private:
  static constexpr int kFault = 5;

  int rank_;
  std::optional<SharedRegion> region_;
  std::unique_ptr<Node> node_;
};

}  // namespace

int run_rank_process(int rank, pid_t parent) {
  std::signal(SIGPIPE, SIG_IGN);
  if (!end_with(parent)) return 5;
  Rank process(rank);
  try {
    process.run();
  } catch (const std::exception& error) {
    process.fail(error.what());
  }
  return 0;
}

}  // namespace splitbench
