// How far the proof is, on standard error, and where it is left when a signal asks for it.
#pragma once

#include <chrono>
#include <exception>
#include <string>

#include "harness/process/interruption.h"

namespace splitbench::proof {

class Interrupted : public std::exception {
 public:
  explicit Interrupted(int signal) : signal_(signal) {}
  int signal() const { return signal_; }
  const char* what() const noexcept override { return "interrupted"; }

 private:
  int signal_;
};

class Ticker {
 public:
  explicit Ticker(bool quiet);

  void begin(const std::string& study, long steps);
  // Throws Interrupted once a signal came.
  void step();
  void end();

 private:
  void show() const;

  Interruption interruption_;
  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point begin_;
  std::string study_;
  long steps_ = 1;
  long done_ = 0;
};

}  // namespace splitbench::proof
