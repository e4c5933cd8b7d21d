#include "machine/guard.h"

#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/ranges.h"

namespace toprope {
namespace {

constexpr uint64_t kBlock = 32;

uint8_t kind_of(Pipe pipe, bool write) {
  const int by = pipe == Pipe::S ? 0 : pipe == Pipe::V ? 2 : 4;
  return static_cast<uint8_t>(1u << (by + (write ? 1 : 0)));
}

/// The number of a DataBlock of UB, which may be given by its address.
uint32_t block_number(const Core& core, uint32_t given) {
  constexpr auto ub = static_cast<int>(Mem::UB);
  if (given < core.capacity[ub] / kBlock) return given;
  return given - static_cast<uint32_t>(reinterpret_cast<uintptr_t>(core.base[ub]) / kBlock);
}

}  // namespace

void guard_local_memory(uint32_t number, const LocalGuard& guard) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  if (number >= kGuards)
    refuse(core, "CheckLocalMemoryIA", "enableBit is " + std::to_string(number) + "; it takes 0 to 3",
           "the core has four registers", site);
  CoreState& state = *core.state;
  state.guards[number] = {block_number(core, guard.first), block_number(core, guard.last), guard.kinds};
  state.guarded = false;
  for (const LocalGuard& g : state.guards) state.guarded |= g.kinds != 0;
  core.watched = watched() || state.guarded;  // accesses are looked at where observers are told of them
}

void check_guards(Core& core, const Instruction& instruction, std::span<const Access> accesses, Site site) {
  for (const Access& a : accesses) {
    if (a.slice.mem != Mem::UB) continue;
    for (uint32_t i = 0; i < kGuards; ++i) {
      const LocalGuard& guard = core.state->guards[i];
      if (!(guard.kinds & kind_of(instruction.pipe, a.write))) continue;
      const uint64_t begin = (guard.first + 1) * kBlock, end = (guard.last + 1) * kBlock;
      for_each_range(a, [&](uint64_t from, uint64_t to) {
        if (from < end && begin < to)
          refuse(core, instruction.name,
                 std::string(a.operand) + (a.write ? " is written" : " is read") + " at bytes " +
                     std::to_string(from) + " to " + std::to_string(to) +
                     " of UB, and CheckLocalMemoryIA guards the bytes " + std::to_string(begin) + " to " +
                     std::to_string(end),
                 "keep out of the guarded range, or lift the guard (isEnable = false) before", site);
      });
    }
  }
}

}  // namespace toprope
