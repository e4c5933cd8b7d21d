// What instructions say they touch, byte by byte.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "machine/observer.h"

namespace toprope::test {

/// The bytes of an access, as Access documents them.
inline std::set<uint64_t> bytes_of(const Access& a) {
  std::set<uint64_t> bytes;
  for (uint32_t r = 0; r < a.repeats; ++r)
    for (uint32_t b = 0; b < a.blocks; ++b)
      for (uint32_t i = 0; i < a.run; ++i) {
        if (a.element) {
          const uint32_t e = (b * a.run + i) / a.element;
          if (!(a.mask[e / 64] >> (e % 64) & 1)) continue;
          if (a.last && r + 1 == a.repeats && e >= a.last) continue;
        }
        bytes.insert(a.slice.at + r * a.repeat_stride + (a.places ? a.places[b] : b * a.block_stride) + i);
      }
  return bytes;
}

/// Keeps the accesses of the last instruction that ran while it is installed.
class Recorder : public Observer {
 public:
  Recorder() { install(this); }
  ~Recorder() override { uninstall(this); }
  void on_instruction(Core&, const Instruction& instruction, std::span<const Access> accesses,
                      Site) override {
    name = instruction.name;
    operands.clear();
    for (const Access& a : accesses) operands[a.operand] = a;
  }
  std::string name;
  std::map<std::string, Access> operands;
};

}  // namespace toprope::test
