// Collecting, sorting and transposing elements. Source: C API, vector computation, asc_gather,
// asc_gather_datablock, asc_reduce, asc_squeeze, asc_bitsort, asc_mrgsort4, asc_transpose, asc_set_va_reg,
// asc_transto5hd.
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/gather.h"
#include "toprope/isa/sort.h"
#include "toprope/isa/transpose.h"
#include "toprope/machine/system.h"

/// dst[i] = the element at byte src_offset[i] of src.
template <class T>
[[gnu::always_inline]] inline void asc_gather(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset,
                                              uint32_t count) {
  using namespace toprope::c_api;
  static_assert(toprope::contains(toprope::isa::kGatherTypes, toprope::dtype_of<T>),
                "asc_gather takes elements of 16 and 32 bits");
  toprope::isa::gather(toprope::dtype_of<T>, operand(dst), ub(src), ub(src_offset), 0, first(count));
}
template <class T>
[[gnu::always_inline]] inline void asc_gather(__ubuf__ T* dst, __ubuf__ T* src, __ubuf__ uint32_t* src_offset,
                                              uint16_t dst_repeat_stride, uint8_t repeat) {
  using namespace toprope::c_api;
  static_assert(toprope::contains(toprope::isa::kGatherTypes, toprope::dtype_of<T>),
                "asc_gather takes elements of 16 and 32 bits");
  toprope::isa::gather(toprope::dtype_of<T>, operand(dst, 1, dst_repeat_stride), ub(src), ub(src_offset), 0,
                       repeats(repeat));
}
template <class T>
[[gnu::always_inline]] inline void asc_gather_sync(__ubuf__ T* dst, __ubuf__ T* src,
                                                   __ubuf__ uint32_t* src_offset, uint32_t count) {
  asc_gather(dst, src, src_offset, count);
  toprope::c_api::done();
}

/// Each repeat takes 8 offsets and brings the 32 bytes of src at each of them to a DataBlock of dst.
template <class T>
[[gnu::always_inline]] inline void asc_gather_datablock(__ubuf__ T* dst, __ubuf__ T* src,
                                                        __ubuf__ uint32_t* src_offset,
                                                        uint16_t dst_repeat_stride, uint8_t dst_block_stride,
                                                        uint8_t repeat) {
  using namespace toprope::c_api;
  static_assert(toprope::contains(toprope::isa::kGatherBlockTypes, toprope::dtype_of<T>),
                "asc_gather_datablock takes uint16_t and uint32_t");
  toprope::isa::gather_blocks(operand(dst, dst_block_stride, dst_repeat_stride), ub(src), ub(src_offset),
                              repeat);
}
template <class T>
[[gnu::always_inline]] inline void asc_gather_datablock_sync(__ubuf__ T* dst, __ubuf__ T* src,
                                                             __ubuf__ uint32_t* src_offset,
                                                             uint16_t dst_repeat_stride,
                                                             uint8_t dst_block_stride, uint8_t repeat) {
  asc_gather_datablock(dst, src, src_offset, dst_repeat_stride, dst_block_stride, repeat);
  toprope::c_api::done();
}

namespace toprope::c_api {

template <class T>
[[gnu::always_inline]] inline void keep(__ubuf__ T* dst, const isa::VecOperand& src0, __ubuf__ T* src1,
                                        uint8_t pattern, uint32_t bits_repeat_stride, uint32_t lanes,
                                        uint32_t repeats) {
  static_assert(std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>,
                "this function takes uint16_t and uint32_t");
  isa::KeptElements kept;
  kept.pattern = pattern;
  if (pattern == 0) kept.bits = ub(src1);
  kept.bits_repeat_stride = bits_repeat_stride;
  toprope::isa::gather_mask(dtype_of<T>, ub(dst), src0, kept, lanes, repeats);
}

}  // namespace toprope::c_api

/// The elements of src0 whose bit in src1 is 1, behind one another.
template <class T>
[[gnu::always_inline]] inline void asc_reduce(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                              uint32_t count) {
  using namespace toprope::c_api;
  toprope::c_api::keep(dst, operand(src0), src1, 0, 0, count, count ? 1 : 0);
}
/// pattern_mode 0: the bits in src1. 1 and 2: elements with even and odd index; 3 to 6: the first to fourth
/// of each four; 7: all. src1 plays no role then.
template <class T>
[[gnu::always_inline]] inline void asc_reduce(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                              uint16_t repeat, uint8_t src0_block_stride,
                                              uint8_t pattern_mode, uint16_t src0_repeat_stride,
                                              uint8_t src1_repeat_stride) {
  using namespace toprope::c_api;
  toprope::c_api::keep(dst, operand(src0, src0_block_stride, src0_repeat_stride), src1, pattern_mode,
                       src1_repeat_stride, 0, repeat);
}
template <class T>
[[gnu::always_inline]] inline void asc_reduce_sync(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                                   uint32_t count) {
  asc_reduce(dst, src0, src1, count);
  toprope::c_api::done();
}

/// How many elements the last asc_reduce kept.
[[gnu::always_inline]] inline int64_t asc_get_rsvd_count() {
  return static_cast<int64_t>(toprope::isa::last_kept());
}

/// asc_reduce by the bits in src1; results lie behind one another, so dst's strides play no role.
template <class T>
[[gnu::always_inline]] inline void asc_squeeze(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                               uint8_t repeat, uint8_t, uint8_t src0_block_stride, uint8_t,
                                               uint8_t, uint8_t src0_repeat_stride,
                                               uint8_t src1_repeat_stride) {
  using namespace toprope::c_api;
  toprope::c_api::keep(dst, operand(src0, src0_block_stride, src0_repeat_stride), src1, 0, src1_repeat_stride,
                       0, repeat);
}

/// Each repeat sorts 32 scores (src0), largest first, into records of 8 bytes with their indices (src1).
template <class T>
[[gnu::always_inline]] inline void asc_bitsort(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ uint32_t* src1,
                                               int32_t repeat) {
  using namespace toprope::c_api;
  static_assert(toprope::contains(toprope::isa::kSortTypes, toprope::dtype_of<T>),
                "asc_bitsort takes half and float");
  toprope::isa::sort32(toprope::dtype_of<T>, ub(dst), ub(src0), ub(src1), repeat);
}
template <class T>
[[gnu::always_inline]] inline void asc_bitsort_sync(__ubuf__ T* dst, __ubuf__ T* src0,
                                                    __ubuf__ uint32_t* src1, int32_t repeat) {
  asc_bitsort(dst, src0, src1, repeat);
  toprope::c_api::done();
}

inline constexpr int ASC_C_API_MRGSORT_ELEMENT_LEN = 4;

/// Up to four sorted queues of records as one; valid_bit 3, 7 or 15: two, three or four of them. With
/// if_exhausted_suspension it stops when one is used up.
template <class T>
[[gnu::always_inline]] inline void asc_mrgsort4(__ubuf__ T* dst,
                                                __ubuf__ T* src[ASC_C_API_MRGSORT_ELEMENT_LEN],
                                                uint8_t repeat, uint16_t element_length_0,
                                                uint16_t element_length_1, uint16_t element_length_2,
                                                uint16_t element_length_3, bool if_exhausted_suspension,
                                                uint8_t valid_bit) {
  using namespace toprope::c_api;
  static_assert(toprope::contains(toprope::isa::kSortTypes, toprope::dtype_of<T>),
                "asc_mrgsort4 takes half and float");
  toprope::isa::MergeRuns runs{{},
                               {element_length_0, element_length_1, element_length_2, element_length_3},
                               valid_bit,
                               if_exhausted_suspension,
                               repeat};
  for (int i = 0; i < ASC_C_API_MRGSORT_ELEMENT_LEN; ++i)
    if (valid_bit >> i & 1) runs.run[i] = ub(src[i]);
  toprope::isa::merge(toprope::dtype_of<T>, ub(dst), runs);
}
template <class T>
[[gnu::always_inline]] inline void asc_mrgsort4_sync(__ubuf__ T* dst,
                                                     __ubuf__ T* src[ASC_C_API_MRGSORT_ELEMENT_LEN],
                                                     uint8_t repeat, uint16_t element_length_0,
                                                     uint16_t element_length_1, uint16_t element_length_2,
                                                     uint16_t element_length_3, bool if_exhausted_suspension,
                                                     uint8_t valid_bit) {
  asc_mrgsort4(dst, src, repeat, element_length_0, element_length_1, element_length_2, element_length_3,
               if_exhausted_suspension, valid_bit);
  toprope::c_api::done();
}
/// How many records of each queue the last asc_mrgsort4 took.
[[gnu::always_inline]] inline void asc_get_vms4_sr(uint16_t sorted_num[ASC_C_API_MRGSORT_ELEMENT_LEN]) {
  uint16_t taken[ASC_C_API_MRGSORT_ELEMENT_LEN];
  toprope::isa::merge_result(taken);
  for (int i = 0; i < ASC_C_API_MRGSORT_ELEMENT_LEN; ++i) sorted_num[i] = taken[i];
}

/// 16 x 16 elements.
template <class T>
[[gnu::always_inline]] inline void asc_transpose(__ubuf__ T* dst, __ubuf__ T* src) {
  using namespace toprope::c_api;
  static_assert(std::is_same_v<T, int16_t> || std::is_same_v<T, uint16_t>,
                "asc_transpose takes int16_t and uint16_t");
  toprope::isa::transpose(ub(dst), ub(src));
}
template <class T>
[[gnu::always_inline]] inline void asc_transpose_sync(__ubuf__ T* dst, __ubuf__ T* src) {
  asc_transpose(dst, src);
  toprope::c_api::done();
}

/// Registers of eight addresses; a list of sixteen takes one and the next.
enum ub_addr8_t { VA0, VA1, VA2, VA3, VA4, VA5, VA6, VA7 };

template <class T>
[[gnu::always_inline]] inline void asc_set_va_reg(ub_addr8_t addr, __ubuf__ T** src_array) {
  toprope::AddressRegister& list = toprope::address_register(addr);
  for (int i = 0; i < 8; ++i) list[i] = reinterpret_cast<uintptr_t>(src_array[i]);
}

namespace toprope::c_api {

[[gnu::always_inline]] inline void to_5hd(DType type, ub_addr8_t dst, ub_addr8_t src, const isa::To5hd& to) {
  Slice lists[2][isa::kListed];
  for (int side = 0; side < 2; ++side)
    for (uint32_t i = 0; i < isa::kListed; ++i) {
      const uint32_t number = (side == 0 ? dst : src) + i / 8;
      lists[side][i] = toprope::local_slice(
          Mem::UB, reinterpret_cast<const void*>(toprope::address_register(number)[i % 8]));
    }
  toprope::isa::trans_to_5hd(type, lists[0], lists[1], to);
}

}  // namespace toprope::c_api

// The elements of 16 blocks as columns. 16 bits: block i of dst = element i of every block. 32 bits: blocks
// 2i and 2i + 1 = element i of the first and of the last eight. 8 bits: the upper or lower half of each
// block.
#define TOPROPE_FORMS(suffix, type)                                                                          \
  [[gnu::always_inline]] inline void asc_transto5hd_##suffix(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, \
                                                             uint16_t dst_stride, uint16_t src_stride) {     \
    toprope::c_api::to_5hd(type, dst, src, {false, false, repeat, dst_stride, src_stride});                  \
  }                                                                                                          \
  [[gnu::always_inline]] inline void asc_transto5hd_##suffix##_sync(                                         \
      ub_addr8_t dst, ub_addr8_t src, uint8_t repeat, uint16_t dst_stride, uint16_t src_stride) {            \
    asc_transto5hd_##suffix(dst, src, repeat, dst_stride, src_stride);                                       \
    toprope::c_api::done();                                                                                  \
  }
TOPROPE_FORMS(b16, toprope::DType::UInt16)
TOPROPE_FORMS(b32, toprope::DType::UInt32)
#undef TOPROPE_FORMS
[[gnu::always_inline]] inline void asc_transto5hd_b8(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat,
                                                     uint16_t dst_stride, uint16_t src_stride,
                                                     bool dst_high_half, bool src_high_half) {
  toprope::c_api::to_5hd(toprope::DType::UInt8, dst, src,
                         {dst_high_half, src_high_half, repeat, dst_stride, src_stride});
}
[[gnu::always_inline]] inline void asc_transto5hd_b8_sync(ub_addr8_t dst, ub_addr8_t src, uint8_t repeat,
                                                          uint16_t dst_stride, uint16_t src_stride,
                                                          bool dst_high_half, bool src_high_half) {
  asc_transto5hd_b8(dst, src, repeat, dst_stride, src_stride, dst_high_half, src_high_half);
  toprope::c_api::done();
}
