#include "machine/core_state.h"

#include <sys/mman.h>

#include <new>

#include "base/soc.h"
#include "machine/fault.h"

namespace toprope {
namespace {

// SIMD tails may read (never write different bytes) past an operand's end.
constexpr size_t kSlack = 4096;

constexpr size_t padded(uint32_t bytes) { return bytes ? (bytes + kSlack + 4095) / 4096 * 4096 : 0; }

}  // namespace

__thread Core* current_core __attribute__((tls_model("initial-exec"))) = nullptr;

Arena::Arena(const uint32_t (&sizes)[kMems]) {
  for (uint32_t size : sizes) bytes_ += padded(size);
  mapping_ =
      mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) throw std::bad_alloc();
  auto* next = static_cast<uint8_t*>(mapping_);
  for (int m = 0; m < kMems; ++m) {
    if (sizes[m]) base_[m] = next;
    next += padded(sizes[m]);
  }
}

Arena::~Arena() { munmap(mapping_, bytes_); }

CoreState::CoreState() : CoreState(soc()) {}

CoreState::CoreState(const SocInfo& chip) {
  const uint32_t sizes[kMems] = {0, chip.ub, chip.l1, chip.l0a, chip.l0b, chip.l0c, chip.bt, chip.fb};
  arena_ = std::make_unique<Arena>(sizes);
  for (int m = 0; m < kMems; ++m) {
    core.base[m] = arena_->base(static_cast<Mem>(m));
    core.capacity[m] = sizes[m];
  }
  core.state = this;
}

void CoreState::begin(const Launch& l, uint32_t block, uint32_t part) {
  launch = &l;
  task = block * (l.cubes + l.vectors) + part;
  flags.clear();
  buffers.clear();
  buffers.given.fill({});
  turns.clear();
  met.clear();
  system_workspace = nullptr;
  tiling_key.reset();
  sync_base = control = 0;
  arrays.clear();
  extreme_doubt = "no ReduceRepeat, ReduceMax or ReduceMin came before on this core";
  guards.fill({});
  guarded = false;
  kept.clear();
  spin.seen.clear();
  spin.looks = spin.turns = 0;
  core.mask = MaskRegister{};
  core.atomic = StoreAtomic{};
  core.pad = PadRegister{};
  core.vector = VectorRegisters{};
  core.cube = part < l.cubes;
  core.sub_block_num = l.vectors;
  core.sub_block_idx = core.cube ? 0 : part - l.cubes;
  // A vector core of a mixed or multi-vector block counts AIVs, as GetBlockIdx() documents.
  core.block_idx = core.cube || l.vectors == 0 ? block : block * l.vectors + core.sub_block_idx;
  core.block_num = l.blocks;
  core.watched = toprope::watched();
  core.saturate = l.saturate;
  core.wrap_casts = false;
}

Core& running_core() {
  if (!current_core)
    throw KernelAbort{
        Fault::Exception,
        "an Ascend C instruction was called outside a kernel: it belongs into a __global__ function "
        "that is launched with <<<…>>>"};
  return *current_core;
}

}  // namespace toprope
