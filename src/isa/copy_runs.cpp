#include "isa/copy_runs.h"

#include <string>

#include "isa/copy_stream.h"
#include "machine/core_state.h"

namespace toprope::isa {
namespace {

/// Runs of a length the compiler knows: a short memcpy call costs more than the bytes.
template <size_t N>
void move_fixed(uint8_t* dst, const uint8_t* src, const Runs& d, const Runs& s) {
  for (uint32_t b = 0; b < d.blocks; ++b, dst += d.block_step, src += s.block_step) {
    uint8_t bytes[N];
    std::memcpy(bytes, src, N);
    std::memcpy(dst, bytes, N);
  }
}

void move_blocks(uint8_t* dst, const uint8_t* src, const Runs& d, const Runs& s) {
  switch (d.run) {
    case 32:
      return move_fixed<32>(dst, src, d, s);
    case 64:
      return move_fixed<64>(dst, src, d, s);
  }
  for (uint32_t b = 0; b < d.blocks; ++b, dst += d.block_step, src += s.block_step)
    std::memmove(dst, src, d.run);
}

}  // namespace

void refuse_side(Core& core, const Instruction& instruction, const char* operand, const Slice& slice,
                 uint64_t reach, uint32_t alignment, Site site) {
  const std::string name = operand, memory = name_of(slice.mem);
  const bool gm = slice.mem == Mem::GM;
  if (gm && slice.at < 4096)
    refuse(core, instruction.name, name + " is a GlobalTensor without an address",
           "call SetGlobalBuffer with the kernel's argument, and launch with device memory", site);
  if (slice.at % alignment) {
    const std::string where =
        gm ? "GM address " + std::to_string(slice.at) : "byte " + std::to_string(slice.at) + " of " + memory;
    refuse(core, instruction.name,
           name + " starts at " + where + ", which is not " + std::to_string(alignment) + "-byte aligned",
           gm ? "start at a multiple of the element's size; DataCopyPad takes any GM address"
              : "start the operand at a multiple of 32 bytes",
           site);
  }
  const uint64_t over = slice.at + reach - slice.end;
  refuse(core, instruction.name,
         name + " ends " + std::to_string(over) + " bytes past its tensor in " + memory + ": " +
             std::to_string(reach) + " bytes from byte " + std::to_string(slice.at - slice.begin) +
             " of a tensor of " + std::to_string(slice.end - slice.begin) + " bytes",
         gm ? "copy fewer elements (DataCopyPad moves a tail exactly), or give SetGlobalBuffer the tensor's "
              "real size"
            : "make the buffer larger or the count, blocks or gaps smaller",
         site);
}

void refuse_range(Core& core, const Instruction& instruction, const char* parameter, uint64_t value,
                  uint64_t least, uint64_t most, Site site) {
  refuse(core, instruction.name,
         std::string(parameter) + " is " + std::to_string(value) + "; it takes " + std::to_string(least) +
             " to " + std::to_string(most),
         value > most ? "split the copy into several" : "give the parameter a value of its range", site);
}

Access access_of(const char* operand, const Runs& runs, bool write, const StoreAtomic& atomic) {
  Access a;
  a.operand = operand;
  a.slice = runs.slice;
  a.run = static_cast<uint32_t>(runs.run);
  a.blocks = runs.blocks;
  a.block_stride = runs.block_step;
  a.repeats = runs.repeats;
  a.repeat_stride = runs.repeat_step;
  a.write = write;
  a.atomic = atomic.type != StoreAtomic::None;
  return a;
}

void move_consecutive(Core& core, uint8_t* dst, const uint8_t* src, uint64_t bytes, Mem to, Mem from) {
  if (to == Mem::GM) {
    if (core.state->gm.store(reinterpret_cast<uintptr_t>(dst), bytes))
      return stream_kernels().store(dst, src, bytes);
  } else if (from == Mem::GM) {
    if (core.state->gm.load(reinterpret_cast<uintptr_t>(src), bytes))
      return stream_kernels().load(dst, src, bytes);
  }
  std::memmove(dst, src, bytes);
}

void move(Core& core, const Runs& d, const Runs& s, const StoreAtomic& atomic) {
  uint8_t* dst = host(core, d.slice.mem, d.slice.at);
  const uint8_t* src = host(core, s.slice.mem, s.slice.at);
  if (d.slice.mem == Mem::GM && atomic.type != StoreAtomic::None) [[unlikely]] {
    for (uint32_t r = 0; r < d.repeats; ++r)
      for (uint32_t b = 0; b < d.blocks; ++b)
        combine(atomic, core.saturate, dst + r * d.repeat_step + b * d.block_step,
                src + r * s.repeat_step + b * s.block_step, d.run);
    return;
  }
  if (d.consecutive() && s.consecutive()) {
    move_consecutive(core, dst, src, d.run * d.blocks, d.slice.mem, s.slice.mem);
    return;
  }
  for (uint32_t r = 0; r < d.repeats; ++r)
    move_blocks(dst + r * d.repeat_step, src + r * s.repeat_step, d, s);
}

}  // namespace toprope::isa
