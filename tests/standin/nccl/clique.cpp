#include "tests/standin/nccl/clique.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <set>
#include <stdexcept>
#include <utility>

#include "tests/standin/shared_state.h"

namespace splitbench::standin {
namespace {

// What stands in the 128 bytes of a unique id.
struct Address {
  std::uint64_t magic;
  std::uint64_t subject;
  std::int32_t process;
  std::int32_t descriptor;

  static constexpr std::uint64_t kMagic = 0x73746e642d6e6363;  // "stnd-ncc"
};
static_assert(sizeof(Address) <= sizeof(ncclUniqueId));

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

Address address_of(const ncclUniqueId& id) {
  Address address{};
  std::memcpy(&address, &id, sizeof address);
  if (address.magic != Address::kMagic) {
    throw std::runtime_error("this is no unique id of the stand-in's ncclGetUniqueId");
  }
  if (address.process != getpid() && state_path().empty()) {
    throw std::runtime_error(std::string("ranks in several processes need ") + kStateVariable +
                             ": start them by splitbench-standin");
  }
  return address;
}

}  // namespace

// Zeroes are a clique that nobody has joined. Pages take no room until they are touched.
struct Clique::Memory {
  std::atomic<int> ranks;  // as the first to join says
  std::atomic<int> joined;
  std::atomic<int> error;               // ncclResult_t
  std::atomic<int> device[kMostRanks];  // 1 + ordinal; 0: not here yet
  std::atomic<std::uint64_t> host[kMostRanks];
  Chunk chunks[kMostRanks][2];
};

ncclUniqueId Clique::make() {
  Address address{.magic = Address::kMagic};
  address.process = getpid();
  address.descriptor = memfd_create("stand-in NCCL", MFD_CLOEXEC);
  if (address.descriptor < 0) fail("memfd_create");
  if (ftruncate(address.descriptor, sizeof(Memory)) != 0) fail("ftruncate");
  if (getrandom(&address.subject, sizeof address.subject, 0) < 0) fail("getrandom");
  ncclUniqueId id{};
  std::memcpy(&id, &address, sizeof address);
  return id;
}

Clique::Clique(const ncclUniqueId& id, int rank, int ranks, int device, std::uint64_t host)
    : subject_(address_of(id).subject), rank_(rank), ranks_(ranks) {
  const Address address = address_of(id);
  const std::string path =
      "/proc/" + std::to_string(address.process) + "/fd/" + std::to_string(address.descriptor);
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) fail("the process that made the unique id is gone (" + path + ")");
  void* memory = mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED) fail("mmap");
  memory_ = static_cast<Memory*>(memory);
  int said = 0;
  int absent = 0;
  if (!memory_->ranks.compare_exchange_strong(said, ranks) && said != ranks) {
    munmap(memory, sizeof(Memory));
    throw std::runtime_error("another rank says that there are " + std::to_string(said) +
                             " ranks, not " + std::to_string(ranks));
  }
  if (!memory_->device[rank].compare_exchange_strong(absent, device + 1)) {
    munmap(memory, sizeof(Memory));
    throw std::runtime_error("rank " + std::to_string(rank) + " is there already");
  }
  memory_->host[rank] = host;
  memory_->joined.fetch_add(1);
  wake();
}

Clique::~Clique() {
  munmap(memory_, sizeof(Memory));
}

bool Clique::complete() const {
  return memory_->joined.load() == ranks_;
}

int Clique::device_of(int rank) const {
  return memory_->device[rank].load() - 1;
}

bool Clique::has_duplicate_device() const {
  std::set<std::pair<std::uint64_t, int>> devices;
  for (int rank = 0; rank < ranks_; ++rank) {
    devices.emplace(memory_->host[rank].load(), device_of(rank));
  }
  return devices.size() < static_cast<std::size_t>(ranks_);
}

void Clique::set_error(ncclResult_t error) {
  int none = ncclSuccess;
  memory_->error.compare_exchange_strong(none, error);
}

ncclResult_t Clique::error() const {
  return static_cast<ncclResult_t>(memory_->error.load());
}

Clique::Chunk& Clique::chunk(int rank, std::uint64_t meeting) const {
  return memory_->chunks[rank][meeting % 2];
}

std::optional<Time> Clique::meet(Time arrival, const std::function<bool()>& cancelled) {
  return standin::meet({.subject = subject_, .number = meetings_++}, ranks_, arrival, cancelled);
}

}  // namespace splitbench::standin
