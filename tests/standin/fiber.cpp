#include "tests/standin/fiber.h"

#include <boost/context/protected_fixedsize_stack.hpp>
#include <utility>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace splitbench::standin {
namespace {

constexpr std::size_t kStackBytes = std::size_t{128} << 10;

// Gives out a stack that was made before.
struct GivenStack {
  boost::context::stack_context stack;
  boost::context::protected_fixedsize_stack owner{kStackBytes};

  boost::context::stack_context allocate() const { return stack; }
  void deallocate(boost::context::stack_context& gone) { owner.deallocate(gone); }
};

}  // namespace

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {
  GivenStack given;
  given.stack = given.owner.allocate();
  own_.size = given.stack.size;
  own_.bottom = static_cast<const char*>(given.stack.sp) - given.stack.size;
#ifdef __SANITIZE_THREAD__
  own_.thread = __tsan_create_fiber(0);
#endif
  inside_ = boost::context::fiber(
      std::allocator_arg, given,
      [this](boost::context::fiber&& resumer) { return run(std::move(resumer)); });
}

Fiber::~Fiber() {
  ending_ = true;
  resume();
#ifdef __SANITIZE_THREAD__
  __tsan_destroy_fiber(own_.thread);
#endif
}

void Fiber::leave([[maybe_unused]] Stack& from, [[maybe_unused]] const Stack& to,
                  [[maybe_unused]] bool for_good) {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_start_switch_fiber(for_good ? nullptr : &from.fake, to.bottom, to.size);
#endif
#ifdef __SANITIZE_THREAD__
  __tsan_switch_to_fiber(to.thread, 0);
#endif
}

void Fiber::arrive([[maybe_unused]] Stack& at, [[maybe_unused]] Stack* from) {
#ifdef __SANITIZE_ADDRESS__
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(at.fake, &bottom, &size);
  if (from != nullptr) {
    from->bottom = bottom;
    from->size = size;
  }
#endif
}

void Fiber::resume() {
#ifdef __SANITIZE_THREAD__
  resumers_.thread = __tsan_get_current_fiber();
#endif
  leave(resumers_, own_, false);
  inside_ = std::move(inside_).resume();
  arrive(resumers_, nullptr);
}

void Fiber::pause() {
  leave(own_, resumers_, false);
  outside_ = std::move(outside_).resume();
  arrive(own_, &resumers_);
}

boost::context::fiber Fiber::run(boost::context::fiber&& resumer) {
  outside_ = std::move(resumer);
  arrive(own_, &resumers_);
  while (!ending_) {
    body_();
    pause();
  }
  leave(own_, resumers_, true);
  return std::move(outside_);
}

}  // namespace splitbench::standin
