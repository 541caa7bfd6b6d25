#include "harness/cli/looking.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "harness/cli/say.h"
#include "harness/cli/screen_text.h"
#include "harness/registry.h"
#include "harness/supervisor/choice.h"

namespace splitbench::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kErase = "\r\033[K";

}  // namespace

Looking::Looking(bool quiet, Seconds between)
    : quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      between_(between.value()),
      begin_(Clock::now()),
      last_(begin_) {
  if (quiet_) return;
  say(terminal_ ? "looking at the devices" : "looking at the devices\n");
}

Looking::~Looking() {
  if (!quiet_ && terminal_) draw(kErase);
}

void Looking::at(const std::string& doing) {
  const auto now = Clock::now();
  if (quiet_ || (!terminal_ && now - last_ < between_)) return;
  last_ = now;
  const std::chrono::duration<double> so_far = now - begin_;
  const std::string line = fmt::format("{:3.0f} s  {}", so_far.count(), doing).substr(0, kColumns);
  terminal_ ? draw(kErase + shown_lines(line)) : say(line + "\n");
}

Preflight look_at_gpus(PreflightPlan plan, bool quiet) {
  Looking looking(quiet);
  plan.doing = [&](const std::string& doing) { looking.at(doing); };
  return look_with_a_module(built_modules(known_backend("cuda")), std::move(plan));
}

}  // namespace splitbench::cli
