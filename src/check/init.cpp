#include "check/init.h"

#include <string>

#include "check/runs.h"

namespace toprope::check {

void Init::on_block(Core& core, const BlockEvent& event) {
  if (event.kind == BlockEvent::Begin) cores_[core.state] = {};
}

void Init::on_queue(Core& core, const QueueEvent& event, Site site) {
  if (event.kind != QueueEvent::Free) return;
  // The next tensor in this buffer starts with what is there now, which on the device may be anything.
  cores_[core.state].of[static_cast<int>(event.buffer.mem)].update(
      event.buffer.begin, event.buffer.end,
      [&](Bytes& b, uint64_t, uint64_t) { b = {State::Recycled, site}; });
}

void Init::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                          Site site) {
  Memories& memories = cores_[core.state];
  for (const Access& a : accesses)
    if (!a.write && a.slice.mem != Mem::GM) read(core, memories, instruction, a, site);
  for (const Access& a : accesses)
    if (a.write && a.slice.mem != Mem::GM)
      for_each_range(a, [&](uint64_t begin, uint64_t end) {
        memories.of[static_cast<int>(a.slice.mem)].update(
            begin, end, [](Bytes& b, uint64_t, uint64_t) { b = {State::Written, nullptr}; });
      });
}

void Init::read(Core& core, Memories& memories, const Instruction& instruction, const Access& a, Site site) {
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    uint64_t at = begin, bad_begin = 0, bad_end = 0;
    Site freed = nullptr;
    auto missing = [&](uint64_t b, uint64_t e, Site where) {
      if (bad_end == 0) bad_begin = b;
      bad_end = e;
      if (where) freed = where;
    };
    memories.of[static_cast<int>(a.slice.mem)].look(begin, end,
                                                    [&](const Bytes& bytes, uint64_t b, uint64_t e) {
                                                      if (b > at) missing(at, b, nullptr);
                                                      if (bytes.state != State::Written)
                                                        missing(b, e, bytes.freed);
                                                      at = e;
                                                    });
    if (at < end) missing(at, end, nullptr);
    if (bad_end == 0) return;
    Finding f;
    f.check = "init";
    f.rule = freed ? "init.recycled" : "init.unwritten";
    f.message =
        std::string(instruction.name) + " reads " + a.operand + ", bytes " + std::to_string(bad_begin) +
        " to " + std::to_string(bad_end) + " of " + name_of(a.slice.mem) +
        (freed ? ", which nothing has written since the buffer was freed" : ", which nothing has written");
    f.cure = "fill the operand first (DataCopy, Duplicate, an earlier result), or read fewer elements";
    f.places = {{std::string(instruction.name) + " reads here", instruction.name, site}};
    if (freed) f.places.push_back({"the buffer was freed here", "FreeTensor", freed});
    name_block(f, core);
    reporter().add(std::move(f));
  });
}

}  // namespace toprope::check
