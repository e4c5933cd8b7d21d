// The state of one AI core as a kernel sees it, and the memories an operand can lie in.
#pragma once
#include <cstdint>

namespace toprope {

enum class Mem : uint8_t { GM, UB, L1, L0A, L0B, L0C, BT, FB };
inline constexpr int kMems = 8;

/// A place in a memory, with the allocation it was cut from. Local memories are addressed from 0, GM by host
/// address. Views keep the allocation of the tensor they were cut from, so that an overrun into a neighbour
/// is known as one.
struct Slice {
  uint64_t at = 0;              ///< first byte
  uint64_t begin = 0, end = 0;  ///< the allocation: [begin, end); both 0 when it is not known
  Mem mem = Mem::UB;
  bool past_l2 = false;  ///< GM that copies reach past the L2 cache (SetL2CacheHint): a matter of time only
};

/// The vector mask register: in normal mode a bit for each element of a repeat, in counter mode a count of
/// elements.
struct MaskRegister {
  uint64_t bits[2] = {~uint64_t{0}, ~uint64_t{0}};
  bool counter = false;
};

/// How copies into GM combine with the bytes that lie there. Off while `type` is None; the numbers are those
/// that GetStoreAtomicConfig documents.
struct StoreAtomic {
  enum Type : uint8_t { None, F32, F16, S16, S32, S8, BF16 };
  enum Op : uint8_t { Add, Max, Min };
  Type type = None;
  Op op = Add;
};

/// What SetPadValue left for the DataCopyPad calls that bring no value of their own.
struct PadRegister {
  uint64_t bits = 0;  ///< the value, zero-extended
  bool set = false;
};

/// Special registers from which vector instructions take parameters, or in which they leave results.
struct VectorRegisters {
  uint64_t deq_scale = 0;         ///< DEQSCALE, laid out as SetDeqScale documents
  uint64_t cmp_mask[2] = {0, 0};  ///< CMPMASK
  uint64_t extreme = 0;           ///< bits of the last maximum or minimum over all repeats
  uint64_t extreme_index = 0;     ///< and of its index
  uint64_t sum = 0;               ///< bits of the last ReduceSum over consecutive elements
  uint16_t merged[4] = {};        ///< records that the last MrgSort took of each run
};

class CoreState;  // flags, queues, fiber: src/machine

struct Core {
  uint8_t* base[kMems] =
      {};  ///< host address of each local memory; base[GM] is 0, GM slices are host addresses
  uint32_t capacity[kMems] = {};  ///< bytes
  uint32_t block_idx = 0;         ///< as GetBlockIdx() of this core kind
  uint32_t block_num = 1;
  uint32_t sub_block_idx = 0;  ///< which AIV of the block, 0 for the cube core
  uint32_t sub_block_num = 1;  ///< AIVs a block
  bool cube = false;           ///< an AIC
  bool watched = false;        ///< an observer wants events
  bool saturate = false;       ///< saturation mode of the floating-point units instead of inf/nan mode
  bool wrap_casts = false;  ///< casts to integers keep the low bits of what does not fit, instead of clamping
  MaskRegister mask;
  StoreAtomic atomic;
  PadRegister pad;
  VectorRegisters vector;
  CoreState* state = nullptr;
};

/// The core that the calling thread currently plays; null outside a kernel. Initial-exec: a plain load, also
/// from kernels in libraries that were opened at run time (one pointer fits into the loader's reserve).
extern __thread Core* current_core __attribute__((tls_model("initial-exec")));

/// The running core, or a fault that says the call belongs in a kernel.
Core& running_core();

inline Core& core() {
  Core* c = current_core;
  return __builtin_expect(c != nullptr, 1) ? *c : running_core();
}

inline uint8_t* host(const Core& c, Mem mem, uint64_t at) {
  return reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(c.base[static_cast<int>(mem)]) + at);
}

}  // namespace toprope
