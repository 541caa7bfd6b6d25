// What the backend of the module `odd` can be told to do, as the number of a device.
#pragma once

namespace splitbench::test {

enum class Oddity { hangs, crashes, talks, throws };

}  // namespace splitbench::test
