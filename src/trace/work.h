// What one instruction costs on its pipe, before anything else is in its way.
#pragma once
#include <cstdint>
#include <span>

#include "machine/observer.h"
#include "trace/costs.h"

namespace toprope::trace {

using Cycles = double;

struct Work {
  Cycles busy = 0;          ///< the pipe is taken
  Cycles late = 0;          ///< after that, until another pipe can use the result
  Cycles conflicts = 0;     ///< of `busy`: what bank conflicts add
  uint64_t bytes = 0;       ///< moved (copies)
  uint64_t operations = 0;  ///< elements computed, or multiplications and additions of the cube
  bool gm_read = false, gm_write = false;
  uint64_t gm_at = 0;  ///< first GM address
  bool past_l2 = false;
  double stretch = 1;      ///< GM time, for rows off 32 bytes
  bool small = false;      ///< a copy too short for the best bandwidth
  bool unaligned = false;  ///< GM address off 512 bytes
};

/// Costs of an instruction at one place; remembers the last few operand layouts that it saw there.
class Coster {
 public:
  explicit Coster(const Instruction& instruction);
  Work work(std::span<const Access> accesses);

 private:
  Work vector(std::span<const Access> accesses);
  Work copy(std::span<const Access> accesses) const;
  Work cube(std::span<const Access> accesses) const;

  const Instruction& instruction_;
  const VectorCost& cost_;
  bool passes_ = false;  ///< reduces until one element is left
  struct Known {
    uint64_t layout = 0;
    Work work;
  };
  Known known_[4];
  uint32_t next_ = 0;
};

/// The cycle's cost constants, read from the table once.
struct Rates {
  double repeat_bytes = figure("vector.repeat");
  double core_read = figure("gm.core_read"), core_write = figure("gm.core_write");
  double l2_read = figure("l2.core_read"), l2_write = figure("l2.core_write");
  double hit = figure("l2.hit"), miss = figure("l2.miss");
  double unaligned = figure("gm.unaligned");
  double interval = figure("copy.interval"), good_bytes = figure("copy.good_bytes");
  double good_alignment = figure("copy.good_alignment");
  double issue = figure("scalar.issue"), access = figure("scalar.access"), line = figure("scalar.line");
  double mmad_head = figure("mmad.head"), mmad_float = figure("mmad.float_factor");
};
const Rates& rates();

}  // namespace toprope::trace
