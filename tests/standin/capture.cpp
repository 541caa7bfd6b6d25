#include "tests/standin/capture.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tests/standin/device.h"

namespace splitbench::standin {
namespace {

std::set<Capture*>& captures() {
  static auto& captures = *new std::set<Capture*>;
  return captures;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

Time run_graph(const Graph& graph, Time start, std::string& previous) {
  std::vector<Time> ends;
  std::map<std::string, int> seen;
  Time last = start;
  previous.clear();
  for (const Node& node : graph.nodes) {
    Time begin = start;
    for (const std::size_t before : node.after) begin = std::max(begin, ends[before]);
    const int occurrence = seen[node.operation.name]++;
    ends.push_back(run_operation(node.operation, node.device, begin, previous, occurrence));
    last = std::max(last, ends.back());
  }
  previous.clear();
  return last;
}

bool forbids(const Capture& capture) {
  if (capture.mode() == cudaStreamCaptureModeRelaxed) return false;
  if (capture.began_here()) return thread_mode != cudaStreamCaptureModeRelaxed;
  return capture.mode() == cudaStreamCaptureModeGlobal &&
         thread_mode == cudaStreamCaptureModeGlobal;
}

}  // namespace

void launch_graph(Stream& stream, std::shared_ptr<const Graph> graph) {
  for (const Node& node : graph->nodes) {
    if (node.operation.queued) node.operation.queued();
  }
  queue_work(stream, [graph = std::move(graph)](Time start, std::string& previous) {
    return run_graph(*graph, start, previous);
  });
}

Capture::Capture(Stream& origin, cudaStreamCaptureMode mode)
    : origin_(&origin), mode_(mode), thread_(std::this_thread::get_id()), members_{&origin} {
  static std::uint64_t captures_begun = 0;
  id_ = ++captures_begun;
  captures().insert(this);
  origin.capture = this;
  origin.frontier.clear();
}

Capture::~Capture() {
  captures().erase(this);
  for (Stream* stream : members_) {
    stream->capture = nullptr;
    stream->frontier.clear();
  }
}

cudaError_t Capture::add(Stream& stream, Operation operation) {
  if (!valid_) return cudaErrorStreamCaptureInvalidated;
  graph_.nodes.push_back({std::move(operation), stream.device(), stream.frontier});
  stream.frontier = {graph_.nodes.size() - 1};
  return cudaSuccess;
}

cudaError_t Capture::join(Stream& stream, const std::vector<std::size_t>& after) {
  if (stream.capture == nullptr) {
    stream.capture = this;
    stream.frontier.clear();
    members_.push_back(&stream);
  } else if (stream.capture != this) {
    stream.capture->invalidate();
    invalidate();
    return cudaErrorStreamCaptureMerge;
  }
  for (const std::size_t node : after) {
    if (std::find(stream.frontier.begin(), stream.frontier.end(), node) == stream.frontier.end()) {
      stream.frontier.push_back(node);
    }
  }
  return cudaSuccess;
}

void Capture::drop(Stream& member) {
  invalidate();
  members_.erase(std::find(members_.begin(), members_.end(), &member));
  member.capture = nullptr;
}

// Every node is at or before the origin's end, but for those of the origin itself.
bool Capture::all_joined() const {
  std::vector<bool> reached(graph_.nodes.size(), false);
  for (const std::size_t node : origin_->frontier) reached[node] = true;
  for (std::size_t i = graph_.nodes.size(); i-- > 0;) {
    if (!reached[i]) continue;
    for (const std::size_t before : graph_.nodes[i].after) reached[before] = true;
  }
  return std::all_of(members_.begin(), members_.end(), [&](const Stream* stream) {
    return std::all_of(stream->frontier.begin(), stream->frontier.end(),
                       [&](std::size_t node) { return reached[node]; });
  });
}

std::shared_ptr<const Graph> Capture::take_graph(cudaError_t* error) {
  *error = cudaSuccess;
  if (!valid_) {
    *error = cudaErrorStreamCaptureInvalidated;
  } else if (!all_joined()) {
    *error = cudaErrorStreamCaptureUnjoined;
  }
  if (*error != cudaSuccess) return nullptr;
  return std::make_shared<const Graph>(std::move(graph_));
}

void begin_capture(Stream& origin, cudaStreamCaptureMode mode) {
  new Capture(origin, mode);  // end_capture() deletes it
}

std::shared_ptr<const Graph> end_capture(Stream& origin, cudaError_t* error) {
  Capture* capture = origin.capture;
  if (&capture->origin() != &origin) {
    *error = cudaErrorStreamCaptureUnmatched;
    return nullptr;
  }
  if (!capture->began_here() && capture->mode() != cudaStreamCaptureModeRelaxed) {
    *error = cudaErrorStreamCaptureWrongThread;
    return nullptr;
  }
  const std::unique_ptr<Capture> over(capture);
  return over->take_graph(error);
}

void leave_capture(Stream& stream) {
  if (stream.capture == nullptr) return;
  if (&stream.capture->origin() == &stream) {
    delete stream.capture;
  } else {
    stream.capture->drop(stream);
  }
}

Capture* find_capture(std::uint64_t id) {
  const auto found = std::find_if(captures().begin(), captures().end(),
                                  [&](const Capture* capture) { return capture->id() == id; });
  return found == captures().end() ? nullptr : *found;
}

bool breaks_capture() {
  const std::lock_guard lock(stream_mutex());
  bool broken = false;
  for (Capture* capture : captures()) {
    if (!forbids(*capture)) continue;
    capture->invalidate();
    broken = true;
  }
  return broken;
}

cudaStreamCaptureMode exchange_capture_mode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

bool invalidate_blocking_captures(int device) {
  bool broken = false;
  for (Stream* stream : streams_of(device)) {
    if (stream->capture == nullptr || !stream->blocking()) continue;
    stream->capture->invalidate();
    broken = true;
  }
  return broken;
}

}  // namespace splitbench::standin
