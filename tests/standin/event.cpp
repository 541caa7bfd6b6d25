#include "tests/standin/event.h"

#include <map>

namespace splitbench::standin {
namespace {

struct Events {
  std::mutex mutex;
  std::map<cudaEvent_t, std::shared_ptr<Event>> all;
};

Events& events() {
  static Events& events = *new Events;
  return events;
}

}  // namespace

std::shared_ptr<Completion> Event::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

Operation recording(const std::shared_ptr<Event>& event) {
  return {.kind = Kind::bookkeeping,
          .name = "event",
          .body =
              [event](Turn& turn) {
                std::shared_ptr<Completion> recorded;
                {
                  const std::lock_guard lock(event->mutex_);
                  recorded = event->queued_.front();
                  event->queued_.pop_front();
                }
                recorded->finish(turn.now());
              },
          .queued =
              [event] {
                const std::lock_guard lock(event->mutex_);
                event->latest_ = std::make_shared<Completion>();
                event->queued_.push_back(event->latest_);
              }};
}

cudaEvent_t create_event(int device, bool timing) {
  auto event = std::make_shared<Event>(device, timing);
  const std::lock_guard lock(events().mutex);
  const auto handle = reinterpret_cast<cudaEvent_t>(event.get());
  events().all[handle] = std::move(event);
  return handle;
}

std::shared_ptr<Event> find_event(cudaEvent_t handle) {
  const std::lock_guard lock(events().mutex);
  const auto found = events().all.find(handle);
  return found == events().all.end() ? nullptr : found->second;
}

bool destroy_event(cudaEvent_t handle) {
  const std::lock_guard lock(events().mutex);
  return events().all.erase(handle) != 0;
}

}  // namespace splitbench::standin
