#include "tests/standin/illegal_access.h"

#include <csignal>
#include <mutex>

#include "tests/standin/near.h"

namespace splitbench::standin {
namespace {

struct sigaction before[2];

struct sigaction& action_before(int signal) {
  return before[signal == SIGSEGV ? 0 : 1];
}

void on_signal(int signal, siginfo_t*, void*) {
  if (place_to_land != nullptr) siglongjmp(*place_to_land, 1);
  sigaction(signal, &action_before(signal), nullptr);  // not ours: happens again, to its owner
}

void catch_signals() {
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, &action_before(signal));
}

}  // namespace

sigjmp_buf* landing() {
  return place_to_land;
}

void set_landing(sigjmp_buf* place) {
  place_to_land = place;
}

bool runs_within_memory(const std::function<void()>& body) {
  static std::once_flag once;
  std::call_once(once, catch_signals);
  sigjmp_buf here;
  if (sigsetjmp(here, 0) != 0) {
    place_to_land = nullptr;
    return false;
  }
  place_to_land = &here;
  body();
  place_to_land = nullptr;
  return true;
}

}  // namespace splitbench::standin
