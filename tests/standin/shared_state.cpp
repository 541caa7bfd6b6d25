#include "tests/standin/shared_state.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <stdexcept>

#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

struct Meeting {
  bool used = false;
  bool complete = false;
  Topic topic;
  int announced = 0;
  int arrived = 0;
  int left = 0;
  std::int64_t latest = 0;  // picoseconds
};

// Zeroes, but for the mutex, are a state in which nothing has happened.
struct State {
  static constexpr int kMeetings = 4096;

  pthread_mutex_t mutex;
  std::atomic<std::uint32_t> wakes{0};  // futex
  std::atomic<std::int64_t> clocks[kMostDevices];
  Meeting meetings[kMeetings];
};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// Zeroed memory of a State: the file's, or this process's own where fd is -1.
void* map_memory(int fd) {
  const int kind = MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0);
  void* memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, kind, fd, 0);
  if (memory == MAP_FAILED) fail("mmap of the stand-ins' state");
  return memory;
}

// Survives that a process dies while it holds the mutex.
State* construct(void* memory) {
  auto* state = new (memory) State;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&state->mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
  return state;
}

State* open_state() {
  const std::string path = state_path();
  if (path.empty()) return construct(map_memory(-1));
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) fail(path);
  void* memory = map_memory(fd);
  close(fd);
  return static_cast<State*>(memory);
}

// Never unmapped: threads of streams outlive main().
State& state() {
  static State& state = *open_state();
  return state;
}

class Lock {
 public:
  Lock() {
    if (pthread_mutex_lock(&state().mutex) == EOWNERDEAD) {
      pthread_mutex_consistent(&state().mutex);
    }
  }
  ~Lock() { pthread_mutex_unlock(&state().mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
};

Meeting* find_meeting(Topic topic) {
  for (Meeting& meeting : state().meetings) {
    if (meeting.used && meeting.topic == topic) return &meeting;
  }
  return nullptr;
}

Meeting& meeting_about(Topic topic) {
  if (Meeting* meeting = find_meeting(topic)) return *meeting;
  for (Meeting& meeting : state().meetings) {
    if (meeting.used) continue;
    meeting = Meeting{.used = true, .topic = topic};
    return meeting;
  }
  std::fprintf(stderr, "stand-in: more than %d meetings at once\n", State::kMeetings);
  std::abort();
}

}  // namespace

std::string state_path() {
  const char* path = std::getenv(kStateVariable);
  return path == nullptr ? "" : path;
}

std::string make_state() {
  const int fd = memfd_create("stand-in state", 0);
  if (fd < 0) fail("memfd_create");
  if (ftruncate(fd, sizeof(State)) != 0) fail("ftruncate");
  void* memory = map_memory(fd);
  construct(memory);
  munmap(memory, sizeof(State));
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
}

std::atomic<std::int64_t>& shared_clock(int device) {
  return state().clocks[device];
}

void wake() {
  std::atomic<std::uint32_t>& word = state().wakes;
  word.fetch_add(1);
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr,
          0);
}

void wait_until(const std::function<bool()>& done) {
  const timespec at_most{.tv_sec = 0, .tv_nsec = 50'000'000};
  std::atomic<std::uint32_t>& word = state().wakes;
  for (;;) {
    const std::uint32_t seen = word.load();
    if (done()) return;
    syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, seen, &at_most, nullptr,
            0);
  }
}

std::optional<Time> meet(Topic topic, int parties, Time arrival,
                         const std::function<bool()>& cancelled) {
  Meeting* meeting = nullptr;
  bool last = false;
  {
    const Lock lock;
    meeting = &meeting_about(topic);
    meeting->latest = std::max(meeting->latest, arrival.count());
    last = meeting->complete = ++meeting->arrived >= parties;
  }
  if (last) wake();
  bool give_up = false;
  wait_until([&] {
    give_up = cancelled();
    const Lock lock;
    return meeting->complete || give_up;
  });
  const Lock lock;
  if (!meeting->complete) {
    if (--meeting->arrived == 0 && meeting->announced == 0) meeting->used = false;
    return std::nullopt;
  }
  const Time latest(meeting->latest);
  if (++meeting->left >= parties) meeting->used = false;
  return latest;
}

void announce(Topic topic) {
  const Lock lock;
  ++meeting_about(topic).announced;
}

void withdraw(Topic topic) {
  const Lock lock;
  Meeting* meeting = find_meeting(topic);
  if (meeting == nullptr) return;
  if (--meeting->announced == 0 && meeting->arrived == 0) meeting->used = false;
}

int announced(Topic topic) {
  const Lock lock;
  const Meeting* meeting = find_meeting(topic);
  return meeting == nullptr ? 0 : meeting->announced;
}

}  // namespace splitbench::standin
