// Time on stand-in devices. In virtual time a device's clock moves only by the stated cost of what
// runs on it; in real time it is CLOCK_MONOTONIC and costs are waited for.
#pragma once

#include <chrono>
#include <cstdint>

namespace splitbench::standin {

// A duration, and a point on a device's clock (since zero). Whole picoseconds: differences do not
// depend on where on the clock they were taken.
using Time = std::chrono::duration<std::int64_t, std::pico>;

Time from_seconds(double seconds);  // rounded to the nearest picosecond
double to_seconds(Time time);

bool virtual_time();  // of the scenario

// The device's clock: the end of the latest operation that finished on it (virtual), or now (real).
Time device_clock(int device);
// In virtual time moves the device's clock up to `time`; never back.
void advance_device_clock(int device, Time time);

// Until CLOCK_MONOTONIC is there.
void sleep_until(Time time);
Time monotonic_now();

}  // namespace splitbench::standin
