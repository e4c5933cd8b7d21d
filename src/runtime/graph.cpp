#include "runtime/graph.h"

#include "runtime/handle.h"

namespace toprope {
namespace {

std::atomic<uint32_t> next_id{0};

}  // namespace

Graph::Graph() : id(next_id++) {}

Graph::~Graph() {
  for (void* group : groups) Handles<TaskGroup>::drop(group);
}

void Graph::capture(Stream& stream) {
  std::lock_guard lock(mutex);
  recording_ = {shared_from_this(), &tasks};
  streams_.push_back(stream.shared_from_this());
  capturing_ = true;
  stream.record_into(&recording_);
}

void Graph::end() {
  std::lock_guard lock(mutex);
  for (auto& stream : streams_) stream->record_into(nullptr);
  streams_.clear();
  capturing_ = false;
  recording_.graph.reset();
}

}  // namespace toprope
