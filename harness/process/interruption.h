// SIGINT, SIGTERM and SIGHUP as something to wait for, while it lives; as usual before and after.
// A second one within a second of the first changes nothing, as a terminal sends one to a launcher
// too, which passes it on; a later one has its usual effect.
//
// Handlers and a pipe, not a signalfd: libraries start threads of their own (OpenBLAS does), and a
// signal that is blocked in one thread is delivered to another.
#pragma once

#include <csignal>

namespace splitbench {

// One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  int fd() const;      // readable once a signal came
  int signal() const;  // the first that came; 0 if none did

 private:
  struct sigaction former_[3];
};

}  // namespace splitbench
