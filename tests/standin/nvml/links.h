// How the stand-in devices are joined: each by links to every other one, as through no switch.
#pragma once

namespace splitbench::standin {

inline constexpr unsigned kLinksPerDevice = 12;

// Device at the other end of one of the device's links, whatever its state; the links go around the
// others in turn. -1 for a device that is alone.
int link_peer(int device, unsigned link);

// Up unless peers cannot reach each other (fault no-peer).
bool link_is_up(int device, unsigned link);

// Of one link, in 10^6 bytes per second, less by the factor of the fault slow-link.
unsigned link_megabytes_per_s(int device);

}  // namespace splitbench::standin
