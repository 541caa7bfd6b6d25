#include "harness/supervisor/health_process.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/module.h"
#include "harness/process/listening.h"

namespace splitbench {
namespace {

using Clock = std::chrono::steady_clock;

// What the process is given.
constexpr int kAnswersFd = 3;    // to the supervisor
constexpr int kQuestionsFd = 4;  // from the supervisor

std::vector<std::string> arguments(const std::filesystem::path& module,
                                   const std::vector<std::string>& devices) {
  std::vector<std::string> all{"splitbench", "health",       "--parent", std::to_string(getpid()),
                               "--module",   module.string()};
  for (const std::string& device : devices) {
    all.emplace_back("--device");
    all.push_back(device);
  }
  return all;
}

void answer_questions(const std::filesystem::path& module,
                      const std::vector<std::string>& devices) {
  const std::unique_ptr<HealthWatch> watch = load_module(module).watch_health(devices);
  if (watch == nullptr) throw HarnessError("this backend has no health to look at");
  while (const auto question = receive_frame(kQuestionsFd)) {
    const auto health = watch->look(question->at("ours").get<std::vector<pid_t>>());
    if (!send_frame(kAnswersFd, {{"devices", to_json(health)}})) return;
  }
}

}  // namespace

HealthProcess::HealthProcess(const std::string& program, const std::filesystem::path& module,
                             const std::vector<std::string>& devices,
                             const std::vector<std::string>& environment, Seconds patience)
    : HealthProcess(program, module, devices, environment, patience, make_pipe(), make_pipe()) {}

// The ends that the process was given are closed here when the pipes go.
HealthProcess::HealthProcess(const std::string& program, const std::filesystem::path& module,
                             const std::vector<std::string>& devices,
                             const std::vector<std::string>& environment, Seconds patience,
                             Pipe answers, Pipe questions)
    : devices_(devices.size()),
      patience_(patience),
      answers_(std::move(answers.read)),
      questions_(std::move(questions.write)),
      process_({.program = program,
                .arguments = arguments(module, devices),
                .environment = environment,
                .descriptors = {{.ours = answers.write.get(), .its = kAnswersFd},
                                {.ours = questions.read.get(), .its = kQuestionsFd}}}) {}

std::vector<DeviceHealth> HealthProcess::look(const std::vector<pid_t>& ours) {
  if (failure_.empty()) {
    try {
      if (send_frame(questions_.get(), {{"ours", ours}})) return answer();
      process_.end();
      failure_ = process_.how_it_ended();
    } catch (const std::exception& error) {
      failure_ = error.what();
    }
    failure_ = "the process that looks at the devices " +
               (failure_.empty() ? "left in the middle" : failure_);
    process_.end();
  }
  std::vector<DeviceHealth> unknown(devices_);
  for (std::size_t rank = 0; rank < devices_; ++rank) {
    unknown[rank].rank = static_cast<int>(rank);
    unknown[rank].unknown[kWholeHealth] = failure_;
  }
  return unknown;
}

// Throws HarnessError, or what nonsense throws, with a message that says what the process did.
std::vector<DeviceHealth> HealthProcess::answer() {
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(patience_.value()));
  std::optional<nlohmann::json> message;
  const Heard heard = listen_to(answers_.get(), until, [&](std::string_view bytes) {
    reader_.add(bytes.data(), bytes.size());
    message = reader_.next();
    return message.has_value();
  });
  if (heard == Heard::all) return device_health_from_json(message->at("devices"));
  if (heard == Heard::nothing) {
    throw HarnessError(fmt::format("said nothing for {:g} s", patience_.value()));
  }
  process_.end();
  throw HarnessError(process_.how_it_ended());
}

int run_health_process(const std::filesystem::path& module, const std::vector<std::string>& devices,
                       pid_t parent) {
  std::signal(SIGPIPE, SIG_IGN);
  if (!end_with(parent)) return 5;
  try {
    answer_questions(module, devices);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "splitbench health: %s\n", error.what());
    return 5;
  }
}

}  // namespace splitbench
