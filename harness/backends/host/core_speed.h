// How fast the core is right now. A neighbour on its other hardware thread (another virtual
// machine's, where cores are rented) and a clock that is held down take no time that the kernel
// could account for: they show in how long a fixed piece of arithmetic takes.
#pragma once

namespace splitbench::host {

// About half a millisecond of multiplications and additions in registers, with nothing to wait for.
// Returns the seconds it took on the calling thread.
double fixed_work_seconds();

}  // namespace splitbench::host
