#include "toprope/machine/access.h"

#include <array>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/tell.h"

namespace toprope {

namespace {

constexpr Instruction kLoad{"GetValue", Pipe::S}, kStore{"SetValue", Pipe::S};

}  // namespace

void* checked_scalar_access(Core& core, const Slice& place, uint32_t bytes, bool write) {
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = write ? kStore : kLoad;
  if (place.end != 0 && (place.at < place.begin || place.at + bytes > place.end))
    refuse(core, instruction.name,
           "byte " + std::to_string(place.at - place.begin) + " is outside the tensor's " +
               std::to_string(place.end - place.begin) + " bytes in " + name_of(place.mem),
           "the index must be smaller than the tensor's size", site);
  if (core.watched) {
    Access access;
    access.operand = write ? "dst" : "src";
    access.slice = place;
    access.run = bytes;
    access.write = write;
    access.cached = place.mem == Mem::GM;
    tell_instruction(core, instruction, {&access, 1}, site);
  }
  return host(core, place.mem, place.at);
}

void check_tensor(const Slice& tensor) {
  Core& c = core();
  const uint32_t capacity = c.capacity[static_cast<int>(tensor.mem)];
  if (tensor.mem != Mem::GM && tensor.end > capacity)
    refuse(c, "LocalTensor",
           "bytes " + std::to_string(tensor.begin) + " to " + std::to_string(tensor.end) + " lie outside " +
               name_of(tensor.mem) + ", which has " + std::to_string(capacity) + " bytes",
           "address plus size must stay inside the memory", __builtin_return_address(0));
}

}  // namespace toprope
