#include "tests/standin/device.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>

#include "tests/standin/scenario.h"
#include "tests/standin/shared_state.h"

namespace splitbench::standin {
namespace {

constexpr int kFirstBus = 0x10;

struct State {
  std::atomic<cudaError_t> sticky{cudaSuccess};
  std::atomic<bool> reaches[kMostDevices] = {};  // peers switched on
  std::atomic<int> rank{0};
  std::atomic<int> ranks{0};  // 0: in no communicator
};

State& state(int device) {
  static auto& states = *new State[kMostDevices];
  return (&states)[device];
}

thread_local int current = -1;  // not chosen: the first visible one

std::vector<int> all_devices() {
  std::vector<int> devices(static_cast<std::size_t>(device_count()));
  std::iota(devices.begin(), devices.end(), 0);
  return devices;
}

// As the runtime reads it: the first entry that names no device, or one named before, ends it.
std::vector<int> listed_devices(std::string_view list) {
  std::vector<int> devices;
  while (!list.empty()) {
    const std::string_view entry = list.substr(0, list.find(','));
    int device = -1;
    const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), device);
    const bool is_number = error == std::errc() && end == entry.data() + entry.size();
    if (!is_number || device < 0 || device >= device_count()) break;
    if (std::find(devices.begin(), devices.end(), device) != devices.end()) break;
    devices.push_back(device);
    list.remove_prefix(std::min(list.size(), entry.size() + 1));
  }
  return devices;
}

// Fault duplicate-device: this one is there under the number of the first one, too.
int identity_of(int device) {
  return device > 0 && find_fault("duplicate-device", device) != nullptr ? 0 : device;
}

}  // namespace

int device_count() {
  return scenario().devices;
}

const std::vector<int>& visible_devices() {
  static const auto& visible = *[] {
    const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
    return new std::vector<int>(list == nullptr ? all_devices() : listed_devices(list));
  }();
  return visible;
}

int ordinal_of(int device) {
  const std::vector<int>& visible = visible_devices();
  const auto found = std::find(visible.begin(), visible.end(), device);
  return found == visible.end() ? -1 : static_cast<int>(found - visible.begin());
}

std::string device_name(int device) {
  return "splitbench stand-in device " + std::to_string(device) + " (not a GPU)";
}

std::array<unsigned char, 16> device_uuid(int device) {
  std::array<unsigned char, 16> uuid = {'s', 't', 'a', 'n', 'd', '-', 'i', 'n'};
  uuid.back() = static_cast<unsigned char>(identity_of(device));
  return uuid;
}

std::string device_uuid_text(int device) {
  std::string text = "GPU-";
  int bytes = 0;
  for (const unsigned char byte : device_uuid(device)) {
    if (bytes == 4 || bytes == 6 || bytes == 8 || bytes == 10) text += '-';
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", byte);
    text += digits;
    ++bytes;
  }
  return text;
}

int pci_bus(int device) {
  return kFirstBus + identity_of(device);
}

std::string pci_bus_id(int device) {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02X:00.0", static_cast<unsigned>(pci_bus(device)));
  return text;
}

void raise(int device, cudaError_t error) {
  cudaError_t none = cudaSuccess;
  state(device).sticky.compare_exchange_strong(none, error);
}

cudaError_t sticky_error(int device) {
  return state(device).sticky.load();
}

int current_device() {
  if (current < 0 && !visible_devices().empty()) current = visible_devices().front();
  return std::max(current, 0);
}

void set_current_device(int device) {
  current = device;
}

void take_seat(int device, Seat seat) {
  state(device).rank = seat.rank;
  state(device).ranks = seat.ranks;
}

std::optional<Seat> seat_of(int device) {
  const Seat seat{.rank = state(device).rank, .ranks = state(device).ranks};
  if (seat.ranks == 0) return std::nullopt;
  return seat;
}

cudaError_t environment_error() {
  if (find_fault("hang-in-runtime", -1) != nullptr) wait_until([] { return false; });
  if (find_fault("driver-mismatch", -1) != nullptr) return cudaErrorInsufficientDriver;
  if (find_fault("error-802", -1) != nullptr) return cudaErrorSystemNotReady;
  return visible_devices().empty() ? cudaErrorNoDevice : cudaSuccess;
}

bool share_island(int one, int other) {
  const auto& islands = scenario().islands;
  return islands.empty() || std::any_of(islands.begin(), islands.end(), [&](const auto& island) {
           return std::count(island.begin(), island.end(), one) > 0 &&
                  std::count(island.begin(), island.end(), other) > 0;
         });
}

bool peers_possible(int from, int to) {
  return from != to && share_island(from, to) && find_fault("no-peer", from) == nullptr &&
         find_fault("no-peer", to) == nullptr;
}

bool peers_enabled(int from, int to) {
  return state(from).reaches[to].load();
}

bool enable_peers(int from, int to) {
  return !state(from).reaches[to].exchange(true);
}

bool disable_peers(int from, int to) {
  return state(from).reaches[to].exchange(false);
}

}  // namespace splitbench::standin
