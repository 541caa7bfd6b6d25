// The stand-in devices: who they are and what state they are in.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace splitbench::standin {

int device_count();  // of the machine

// Those that programs see, by the ordinals that they use: CUDA_VISIBLE_DEVICES, a list of ordinals
// of the machine up to the first that is none, or all. NVML sees all. Everything else here and in
// scenarios goes by the machine's ordinals.
const std::vector<int>& visible_devices();
int ordinal_of(int device);  // among the visible ones; -1 where it is not

// Identity: the same in every process and library.
std::string device_name(int device);  // "splitbench stand-in device 0 (not a GPU)"
std::array<unsigned char, 16> device_uuid(int device);
std::string device_uuid_text(int device);  // "GPU-" and 36 characters, as NVML writes it
int pci_bus(int device);                   // domain 0, device 0, function 0
std::string pci_bus_id(int device);        // "0000:10:00.0"

// An error that stays until the process ends, as after an illegal address. The first one counts.
void raise(int device, cudaError_t error);
cudaError_t sticky_error(int device);

// The calling thread's device.
int current_device();
void set_current_device(int device);

// Its place in the latest communicator of this process; none where there was none.
struct Seat {
  int rank = 0;
  int ranks = 1;
};
void take_seat(int device, Seat seat);
std::optional<Seat> seat_of(int device);

// Why no call can work at all here (faults driver-mismatch, error-802; no devices), or cudaSuccess.
cudaError_t environment_error();

// Whether two devices have links of their own to each other (scenario islands).
bool share_island(int one, int other);

// Whether the hardware allows `from` to reach memory of `to` (fault no-peer), and whether this
// process has switched it on.
bool peers_possible(int from, int to);
bool peers_enabled(int from, int to);
bool enable_peers(int from, int to);   // false: it was on
bool disable_peers(int from, int to);  // false: it was off

}  // namespace splitbench::standin
