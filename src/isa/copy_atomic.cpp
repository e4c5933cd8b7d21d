// Atomic copies into GM. A piece of GM is combined under the lock of the page it lies in, so that the blocks
// of a launch, which run on several threads, lose nothing; what one block adds is seen whole by the next.
#include <algorithm>
#include <atomic>
#include <string>
#include <thread>

#include "isa/binary_table.h"
#include "isa/copy_runs.h"
#include "toprope/isa/atomic.h"

namespace toprope::isa {
namespace {

constexpr Instruction kSets[] = {
    {"SetAtomicAdd", Pipe::S}, {"SetAtomicMax", Pipe::S}, {"SetAtomicMin", Pipe::S}};
constexpr Instruction kSetType{"SetAtomicType", Pipe::S}, kDisable{"DisableDmaAtomic", Pipe::S};

constexpr uint64_t kPage = 4096;

/// One lock for many pages; two pages that share one only wait for each other.
class PageLock {
 public:
  explicit PageLock(const uint8_t* page)
      : flag_(flags_[(reinterpret_cast<uintptr_t>(page) / kPage) % kFlags].taken) {
    for (int tries = 0; flag_.exchange(true, std::memory_order_acquire); ++tries)
      if (tries > 64) std::this_thread::yield();
  }
  PageLock(const PageLock&) = delete;
  ~PageLock() { flag_.store(false, std::memory_order_release); }

 private:
  struct alignas(64) Flag {
    std::atomic<bool> taken{false};
  };
  static constexpr size_t kFlags = 256;
  static Flag flags_[kFlags];
  std::atomic<bool>& flag_;
};
PageLock::Flag PageLock::flags_[PageLock::kFlags];

uint32_t size_of(StoreAtomic::Type type) {
  switch (type) {
    case StoreAtomic::S8:
      return 1;
    case StoreAtomic::F16:
    case StoreAtomic::S16:
    case StoreAtomic::BF16:
      return 2;
    default:
      return 4;
  }
}

template <class T, class F>
void each(uint8_t* dst, const uint8_t* src, size_t n, F f) {
  for (size_t i = 0; i < n; ++i) {
    T a, b;
    std::memcpy(&a, dst + i * sizeof(T), sizeof(T));
    std::memcpy(&b, src + i * sizeof(T), sizeof(T));
    a = f(a, b);
    std::memcpy(dst + i * sizeof(T), &a, sizeof(T));
  }
}

void combine_int8(StoreAtomic::Op op, bool saturate, uint8_t* dst, const uint8_t* src, size_t n) {
  auto run = [&](auto f) { each<int8_t>(dst, src, n, f); };
  if (op == StoreAtomic::Max) return run([](int8_t a, int8_t b) { return std::max(a, b); });
  if (op == StoreAtomic::Min) return run([](int8_t a, int8_t b) { return std::min(a, b); });
  if (saturate)
    return run([](int8_t a, int8_t b) { return static_cast<int8_t>(std::clamp(a + b, -128, 127)); });
  run([](int8_t a, int8_t b) { return static_cast<int8_t>(a + b); });
}

/// As Max and Min of the other types: NaN wins, +0 is above -0.
bfloat16 select(bfloat16 a, bfloat16 b, bool largest) {
  const float x = a, y = b;
  if (x != x || y != y) return bfloat16(x + y);
  if (x == y) return bfloat16::from_bits(largest ? a.bits() & b.bits() : a.bits() | b.bits());
  return (x > y) == largest ? a : b;
}

/// Saturation mode has neither infinities nor NaN.
bfloat16 saturated(bfloat16 value) {
  constexpr uint16_t kInfinity = 0x7f80;
  const uint16_t magnitude = value.bits() & 0x7fff;
  if (magnitude > kInfinity) return bfloat16::from_bits(0);
  return magnitude == kInfinity ? bfloat16::from_bits(value.bits() - 1) : value;
}

void combine_bfloat16(StoreAtomic::Op op, bool saturate, uint8_t* dst, const uint8_t* src, size_t n) {
  each<bfloat16>(dst, src, n, [=](bfloat16 a, bfloat16 b) {
    const bfloat16 r =
        op == StoreAtomic::Add ? bfloat16(float(a) + float(b)) : select(a, b, op == StoreAtomic::Max);
    return saturate ? saturated(r) : r;
  });
}

/// n elements of one page.
void combine_page(const StoreAtomic& atomic, bool saturate, uint8_t* dst, const uint8_t* src, size_t n) {
  if (atomic.type == StoreAtomic::S8) return combine_int8(atomic.op, saturate, dst, src, n);
  if (atomic.type == StoreAtomic::BF16) return combine_bfloat16(atomic.op, saturate, dst, src, n);
  constexpr Binary ops[] = {Binary::Add, Binary::Max, Binary::Min};
  DType type = DType::Float;
  if (atomic.type == StoreAtomic::F16) type = DType::Half;
  if (atomic.type == StoreAtomic::S16) type = DType::Int16;
  if (atomic.type == StoreAtomic::S32) type = DType::Int32;
  const auto* table = static_cast<const BinaryTable*>(binary_table.get());
  table->at[saturate][static_cast<int>(ops[atomic.op])][static_cast<int>(type)](dst, dst, src, n);
}

}  // namespace

void check_atomic(Core& core, const Instruction& instruction, uint64_t run, Site site) {
  const uint32_t element = size_of(core.atomic.type);
  if (run % element)
    refuse(core, instruction.name,
           "blocks of " + std::to_string(run) +
               " bytes do not hold whole elements of the atomic operation's " + std::to_string(element) +
               " bytes",
           "call DisableDmaAtomic where the atomic copies end, or set the type that is copied", site);
}

void combine(const StoreAtomic& atomic, bool saturate, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  const uint32_t element = size_of(atomic.type);
  while (bytes) {
    // An element belongs to the page of its first byte, also where GM is not aligned to elements.
    const uint64_t room = kPage - reinterpret_cast<uintptr_t>(dst) % kPage;
    const uint64_t here = std::min(bytes, (room + element - 1) / element * element);
    PageLock lock(dst);
    combine_page(atomic, saturate, dst, src, here / element);
    dst += here;
    src += here;
    bytes -= here;
  }
}

void set_atomic(StoreAtomic::Op op, StoreAtomic::Type type) {
  Core& core = toprope::core();
  issue_scalar(
      core, type == StoreAtomic::None ? kDisable : kSets[op], __builtin_return_address(0), [](Footprint&) {},
      [&] { core.atomic = {type, op}; });
}

void set_atomic_type(StoreAtomic::Type type) {
  Core& core = toprope::core();
  issue_scalar(
      core, kSetType, __builtin_return_address(0), [](Footprint&) {}, [&] { core.atomic.type = type; });
}

void set_atomic_config(uint16_t type, uint16_t op) {
  static constexpr Instruction kSetConfig{"asc_set_store_atomic_config_v1", Pipe::S};
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  check_range(core, kSetConfig, "type", type, 0, StoreAtomic::BF16, site);
  check_range(core, kSetConfig, "op", op, 0, 0, site);
  issue_scalar(
      core, kSetConfig, site, [](Footprint&) {},
      [&] { core.atomic = {static_cast<StoreAtomic::Type>(type), StoreAtomic::Add}; });
}

StoreAtomic store_atomic() { return core().atomic; }

}  // namespace toprope::isa
