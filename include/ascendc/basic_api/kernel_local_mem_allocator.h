// LocalMemAllocator: tensors one behind the other in a memory, without a TPipe.
// Source: Ascend C API, resource management, LocalMemAllocator.
#pragma once
#include "basic_api/kernel_tensor.h"
#include "toprope/machine/queue.h"

namespace AscendC {

namespace detail {

constexpr toprope::Mem memory_of(Hardware hard) {
  switch (hard) {
    case Hardware::UB:
      return toprope::Mem::UB;
    case Hardware::L1:
      return toprope::Mem::L1;
    case Hardware::L0A:
      return toprope::Mem::L0A;
    case Hardware::L0B:
      return toprope::Mem::L0B;
    case Hardware::L0C:
      return toprope::Mem::L0C;
    case Hardware::BIAS:
      return toprope::Mem::BT;
    case Hardware::FIXBUF:
      return toprope::Mem::FB;
    default:
      return toprope::Mem::GM;
  }
}

constexpr TPosition position_of(Hardware hard) {
  switch (hard) {
    case Hardware::L1:
      return TPosition::A1;
    case Hardware::L0A:
      return TPosition::A2;
    case Hardware::L0B:
      return TPosition::B2;
    case Hardware::L0C:
      return TPosition::CO1;
    case Hardware::BIAS:
      return TPosition::C2;
    case Hardware::FIXBUF:
      return TPosition::C2PIPE2GM;
    default:
      return TPosition::VECCALC;
  }
}

}  // namespace detail

/// Gives out a memory from address 0 on; a tensor starts at the memory's alignment (UB and L1 32 bytes, L0A
/// and L0B 512, L0C, BIAS and FIXBUF 64). One allocator a memory, and none beside a TPipe.
template <Hardware hard = Hardware::UB>
class LocalMemAllocator {
  static_assert(detail::memory_of(hard) != toprope::Mem::GM,
                "LocalMemAllocator serves UB, L1, L0A, L0B, L0C, BIAS, FIXBUF");

 public:
  LocalMemAllocator() = default;

  /// The first free byte.
  uint32_t GetCurAddr() const { return head_; }

  template <class DataType, uint32_t tileSize>
  [[gnu::always_inline]] LocalTensor<DataType> Alloc() {
    return Alloc<detail::position_of(hard), DataType>(tileSize);
  }
  template <TPosition pos, class DataType, uint32_t tileSize>
  [[gnu::always_inline]] LocalTensor<DataType> Alloc() {
    return Alloc<pos, DataType>(tileSize);
  }
  template <class DataType>
  [[gnu::always_inline]] LocalTensor<DataType> Alloc(uint32_t tileSize) {
    return Alloc<detail::position_of(hard), DataType>(tileSize);
  }
  /// `tileSize` elements.
  template <TPosition pos, class DataType>
  [[gnu::always_inline]] LocalTensor<DataType> Alloc(uint32_t tileSize) {
    static_assert(memory_of(pos) == detail::memory_of(hard),
                  "this position does not lie in the allocator's memory");
    const uint64_t bytes = detail::bytes_of<PrimT<DataType>>(tileSize);
    return LocalTensor<DataType>(pos, toprope::allocate_local(detail::memory_of(hard), head_, bytes),
                                 tileSize);
  }
  /// A TensorTrait with a position and a static shape.
  template <class TensorTraitType>
  [[gnu::always_inline]] LocalTensor<TensorTraitType> Alloc() {
    return Alloc<TensorTraitType::tPos, TensorTraitType>(TensorTraitType::static_size);
  }

 private:
  uint32_t head_ = 0;
};

}  // namespace AscendC
