#include "tests/standin/device.h"

#include <atomic>
#include <cstdio>
#include <cstring>

#include "tests/standin/scenario.h"

namespace splitbench::standin {
namespace {

constexpr int kFirstBus = 0x10;

struct State {
  std::atomic<cudaError_t> sticky{cudaSuccess};
  std::atomic<bool> reaches[kMostDevices] = {};  // peers switched on
};

State& state(int device) {
  static auto& states = *new State[kMostDevices];
  return (&states)[device];
}

thread_local int current = 0;

}  // namespace

int device_count() {
  return scenario().devices;
}

std::string device_name(int device) {
  return "splitbench stand-in device " + std::to_string(device) + " (not a GPU)";
}

std::array<unsigned char, 16> device_uuid(int device) {
  std::array<unsigned char, 16> uuid = {'s', 't', 'a', 'n', 'd', '-', 'i', 'n'};
  uuid.back() = static_cast<unsigned char>(device);
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
  return kFirstBus + device;
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
  return current;
}

void set_current_device(int device) {
  current = device;
}

cudaError_t environment_error() {
  if (find_fault("driver-mismatch", -1) != nullptr) return cudaErrorInsufficientDriver;
  if (find_fault("error-802", -1) != nullptr) return cudaErrorSystemNotReady;
  return device_count() == 0 ? cudaErrorNoDevice : cudaSuccess;
}

bool peers_possible(int from, int to) {
  return from != to && find_fault("no-peer", from) == nullptr &&
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
