// What a queue's calls say about order: a buffer goes from the pipe that was busy with it to the one that is
// next.
#pragma once
#include <cstdint>
#include <optional>

#include "machine/observer.h"

namespace toprope {

/// A queue's buffer as a number, whatever memory it lies in.
inline uint64_t buffer_number(const Slice& buffer) {
  return uint64_t{static_cast<uint8_t>(buffer.mem)} << 32 | buffer.begin;
}

struct Handover {
  bool gives;  ///< `from` has done its part, as SetFlag says it; else `to` waits for that, as WaitFlag does
  Pipe from, to;
  uint64_t buffer;  ///< buffer_number
};

/// EnQue and DeQue hand over from who fills to who reads, FreeTensor and AllocTensor the other way round.
inline std::optional<Handover> handover_of(const QueueEvent& e) {
  const uint64_t buffer = buffer_number(e.buffer);
  switch (e.kind) {
    case QueueEvent::EnQue:
      return Handover{true, e.flow.from, e.flow.to, buffer};
    case QueueEvent::DeQue:
      return Handover{false, e.flow.from, e.flow.to, buffer};
    case QueueEvent::Free:
      return Handover{true, e.flow.to, e.flow.from, buffer};
    case QueueEvent::Alloc:
      return Handover{false, e.flow.to, e.flow.from, buffer};
    case QueueEvent::Init:
    case QueueEvent::Reset:
    case QueueEvent::End:
      break;
  }
  return std::nullopt;
}

}  // namespace toprope
