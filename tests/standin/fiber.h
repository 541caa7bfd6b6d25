// A function with a stack of its own that can pause in the middle; Boost.Context switches the
// stacks, and the sanitizers are told.
#pragma once

#include <boost/context/fiber.hpp>
#include <cstddef>
#include <functional>

namespace splitbench::standin {

class Fiber {
 public:
  // `body` runs from its beginning at the first resume(), and again at the one after it returned.
  explicit Fiber(std::function<void()> body);
  // Not while paused inside `body`.
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Until `body` pauses or returns.
  void resume();
  // To whoever resumed it; from inside `body`.
  void pause();

 private:
  // What a sanitizer knows of a stack.
  struct Stack {
    const void* bottom = nullptr;
    std::size_t size = 0;
    void* fake = nullptr;    // AddressSanitizer's
    void* thread = nullptr;  // ThreadSanitizer's
  };
  static void leave(Stack& from, const Stack& to, bool for_good);
  static void arrive(Stack& at, Stack* from);
  boost::context::fiber run(boost::context::fiber&& resumer);

  std::function<void()> body_;
  bool ending_ = false;
  Stack own_;
  Stack resumers_;
  boost::context::fiber inside_;   // paused, when outside
  boost::context::fiber outside_;  // paused, when inside
};

}  // namespace splitbench::standin
