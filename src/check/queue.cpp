#include "check/queue.h"

#include <string>

#include "machine/handover.h"
#include "machine/queue_report.h"
#include "machine/ranges.h"

namespace toprope::check {
namespace {

std::string range_text(const Slice& s) {
  return "bytes " + std::to_string(s.begin) + " to " + std::to_string(s.end) + " of " + name_of(s.mem);
}

}  // namespace

void QueueUse::on_block(Core& core, const BlockEvent& event) {
  Buffers& buffers = cores_.of(core);
  if (event.kind == BlockEvent::End)
    for (const Buffer& buffer : buffers) report_leak(core, buffer);
  buffers.clear();
}

QueueUse::Buffer* QueueUse::find(Buffers& buffers, const Slice& slice) {
  const uint64_t number = buffer_number(slice);
  for (Buffer& buffer : buffers)
    if (buffer.number == number) return &buffer;
  return nullptr;
}

void QueueUse::on_queue(Core& core, const QueueEvent& event, Site site) {
  Buffers& buffers = cores_.of(core);
  if (event.kind == QueueEvent::Init) return init(core, buffers, event, site);
  Buffer* found = find(buffers, event.buffer);
  if (!found) return;
  Buffer& buffer = *found;
  buffer.slice = event.buffer;
  buffer.flow = event.flow;
  buffer.position = event.position;
  switch (event.kind) {
    case QueueEvent::Alloc:
    case QueueEvent::DeQue:
      buffer.state = State::Held;
      break;
    case QueueEvent::EnQue:
      buffer.state = State::Queued;
      break;
    case QueueEvent::Free:
      buffer.state = State::Free;
      break;
    case QueueEvent::End:
      report_leak(core, buffer);
      [[fallthrough]];
    case QueueEvent::Reset:
      buffer.state = State::Gone;
      break;
    case QueueEvent::Init:
      break;
  }
  buffer.site = site;
}

void QueueUse::init(Core& core, Buffers& buffers, const QueueEvent& event, Site site) {
  const Slice& s = event.buffer;
  for (auto it = buffers.begin(); it != buffers.end();) {
    const Buffer& other = *it;
    const bool meet = other.slice.mem == s.mem && other.slice.begin < s.end && s.begin < other.slice.end;
    if (meet && other.state != State::Gone && other.placed != event.placed) {
      Finding f;
      f.check = "queue";
      f.rule = "queue.overlap";
      f.message = std::string("InitBuffer puts a buffer on ") + position_name(event.position) + " at " +
                  range_text(s) + ", over the buffer on " + position_name(other.position) + " at " +
                  range_text(other.slice);
      f.cure = "give every InitBuffer of a memory an address, or none";
      f.places = {{"the second buffer", "InitBuffer", site}, {"the first", "InitBuffer", other.site}};
      name_block(f, core);
      reporter().add(std::move(f));
    }
    it = meet && other.state == State::Gone ? buffers.erase(it) : std::next(it);
  }
  Buffer* place = find(buffers, s);
  if (!place) place = &buffers.emplace_back();
  *place = {buffer_number(s), State::Fresh, s, event.flow, event.position, event.placed, site};
}

void QueueUse::report_leak(Core& core, const Buffer& buffer) {
  if (buffer.state != State::Held && buffer.state != State::Queued) return;
  Finding f;
  f.check = "queue";
  f.rule = "queue.leak";
  f.severity = Severity::Warning;
  const bool queued = buffer.state == State::Queued;
  f.message = std::string("a tensor on ") + position_name(buffer.position) + ", " + range_text(buffer.slice) +
              (queued ? ", is still in its queue when the TPipe ends" : ", is not freed when the TPipe ends");
  f.cure =
      queued ? "DeQue and FreeTensor every tensor that was enqueued" : "call FreeTensor after its last use";
  f.places = {{queued ? "it was enqueued here" : "it was taken here", queued ? "EnQue" : "", buffer.site}};
  name_block(f, core);
  reporter().add(std::move(f));
}

void QueueUse::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                              Site site) {
  Buffers& buffers = cores_.of(core);
  if (buffers.empty()) return;
  for (const Access& a : accesses) {
    if (a.slice.mem == Mem::GM || a.slice.end == 0) continue;
    const Buffer* found = find(buffers, a.slice);
    if (!found || found->slice.end != a.slice.end) continue;
    const Buffer& buffer = *found;
    const bool enqueued = buffer.state == State::Queued && (a.write || instruction.pipe == buffer.flow.to);
    const bool freed = buffer.state == State::Free || buffer.state == State::Gone;
    if (!enqueued && !freed) continue;
    if (reporter().repeated("queue", site, buffer.site, core)) continue;
    Finding f;
    f.check = f.group = "queue";
    f.rule = enqueued ? "queue.enqueued" : "queue.freed";
    f.message = std::string(instruction.name) + " (" + name_of(instruction.pipe) + ") " +
                (a.write ? "writes " : "reads ") + a.operand + ", a tensor on " +
                position_name(buffer.position) +
                (enqueued                      ? " that is in its queue"
                 : buffer.state == State::Free ? " that was given back"
                                               : " whose TPipe or pool was reset or has ended");
    f.cure = enqueued ? "DeQue the tensor and use what DeQue gives"
                      : "call FreeTensor after the last use, or allocate the tensor anew";
    f.places = {
        {std::string(instruction.name) + (a.write ? " writes" : " reads") + " here", instruction.name, site},
        {enqueued                      ? "it was enqueued here"
         : buffer.state == State::Free ? "it was freed here"
                                       : "the buffer was given up here",
         enqueued ? "EnQue" : "FreeTensor", buffer.site}};
    name_block(f, core);
    reporter().add(std::move(f));
  }
}

}  // namespace toprope::check
