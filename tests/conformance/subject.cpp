#include "tests/conformance/subject.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>

#include "harness/module.h"
#include "harness/rank/shared_region.h"
#include "harness/supervisor/inquiry.h"

namespace splitbench::conformance {
namespace {

constexpr int kRanks = 2;

DeviceRequest devices(const Subject& subject) {
  return {.ranks = kRanks, .devices = subject.devices, .oversubscribe = subject.shares_devices};
}

std::filesystem::path file_of(const Subject& subject) {
  return find_module(subject.module, {SPLITBENCH_BUILD_DIRECTORY});
}

// The child's answer, through a pipe.
class RankProcess {
 public:
  explicit RankProcess(const std::function<std::string()>& body) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      const std::string answer = body();
      const bool whole =
          write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
      std::_Exit(whole ? 0 : 1);
    }
    close(ends[1]);
    report_ = ends[0];
  }
  RankProcess(RankProcess&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)), report_(std::exchange(other.report_, -1)) {}
  RankProcess& operator=(RankProcess&&) = delete;
  ~RankProcess() {
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    if (report_ >= 0) close(report_);
  }

  std::string answer() const {
    std::string text;
    char buffer[4096];
    for (;;) {
      const ssize_t count = read(report_, buffer, sizeof buffer);
      if (count <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(count));
    }
  }

 private:
  pid_t pid_ = -1;
  int report_ = -1;
};

std::string run_rank(const Subject& subject, const Deed& deed, int rank, SharedRegion& region) {
  nlohmann::ordered_json report;
  try {
    const std::unique_ptr<Node> node = load_module(file_of(subject))
                                           .open({.rank = rank,
                                                  .request = devices(subject),
                                                  .shared = &region,
                                                  .patience = Seconds(30)});
    report["said"] = deed(*node);
  } catch (const std::exception& error) {
    report["failed"] = error.what();
  }
  return report.dump();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Subject& subject) {
  return out << subject.module;
}

Protocol small_protocol(const Subject& subject) {
  Protocol protocol = load_protocol(
      R"({"schema": "splitbench.protocol/1", "name": "small", "purpose": "P.",
          "operations": [{"tokens": 8, "d_model": 32, "d_ff": 64, "layers": 3}]})",
      "small");
  protocol.points.front().dtype = subject.dtype;
  protocol.ranks = kRanks;
  return protocol;
}

Survey survey(const Subject& subject, const Protocol& protocol) {
  return ask(file_of(subject), {.devices = devices(subject), .protocol = protocol},
             {.program = SPLITBENCH_PROGRAM});
}

RigSpec spec_of(const Subject& subject) {
  const Protocol protocol = small_protocol(subject);
  return {.operation = protocol.points.front(),
          .seed = 1,
          .launch = survey(subject, protocol).best_launch,
          .cache = Cache::hot,
          .largest_message = largest_message(protocol, 0),
          .pinned = nullptr};
}

std::vector<nlohmann::ordered_json> on_ranks(const Subject& subject, const Deed& deed) {
  const SessionNeeds needs = survey(subject, small_protocol(subject)).needs;
  for (const std::string& entry : needs.environment) {
    const std::size_t equals = entry.find('=');
    setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
  }
  SharedRegion region = SharedRegion::create(needs.processes, needs.shared_bytes);
  std::vector<RankProcess> ranks;
  for (int rank = 0; rank < needs.processes; ++rank) {
    ranks.emplace_back([&, rank] { return run_rank(subject, deed, rank, region); });
  }
  std::vector<nlohmann::ordered_json> said;
  for (const RankProcess& rank : ranks) {
    const auto report = nlohmann::ordered_json::parse(rank.answer());
    EXPECT_FALSE(report.contains("failed")) << report;
    said.push_back(report.value("said", nlohmann::ordered_json()));
  }
  return said;
}

}  // namespace splitbench::conformance
