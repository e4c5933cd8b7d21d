// Copies between GM and UB and inside UB. The plain ones move DataBlocks of 32 bytes; the `_align` ones move
// bytes, and rows start at multiples of 32 bytes in UB. Gaps go from the end of a row to the start of the
// next and count DataBlocks on both sides, as the pages say. Source: C API, vector data movement,
// asc_copy_gm2ub … asc_set_copy_pad_val (dav-2201).
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/copy.h"

#define TOPROPE_FORMS(name, dst_word, src_word, to, from)                                                 \
  /* `size` bytes, a multiple of 32 */                                                                    \
  [[gnu::always_inline]] inline void name(dst_word void* dst, src_word void* src, uint32_t size) {        \
    using namespace toprope::c_api;                                                                       \
    toprope::isa::copy(to(dst), from(src), size, 1);                                                      \
  }                                                                                                       \
  /* `n_burst` rows (1 to 4095) of `len_burst` DataBlocks */                                              \
  [[gnu::always_inline]] inline void name(dst_word void* dst, src_word void* src, uint16_t n_burst,       \
                                          uint16_t len_burst, uint16_t src_gap, uint16_t dst_gap) {       \
    using namespace toprope::c_api;                                                                       \
    toprope::isa::copy(to(dst), from(src), toprope::isa::BlockMove{n_burst, len_burst, src_gap, dst_gap}, \
                       1);                                                                                \
  }                                                                                                       \
  [[gnu::always_inline]] inline void name##_sync(dst_word void* dst, src_word void* src, uint32_t size) { \
    name(dst, src, size);                                                                                 \
    toprope::c_api::done();                                                                               \
  }
TOPROPE_FORMS(asc_copy_gm2ub, __ubuf__, __gm__, ub, gm)
TOPROPE_FORMS(asc_copy_ub2gm, __gm__, __ubuf__, gm, ub)
TOPROPE_FORMS(asc_copy_ub2ub, __ubuf__, __ubuf__, ub, ub)
#undef TOPROPE_FORMS

/// `len_burst` bytes a row (1 to 2097151). Around a row go left_padding_num and right_padding_num elements,
/// each at most 32 bytes, of the value of asc_set_copy_pad_val (before it: the row's first element), then
/// what is missing to a multiple of 32 bytes.
template <class T>
[[gnu::always_inline]] inline void asc_copy_gm2ub_align(__ubuf__ T* dst, __gm__ T* src, uint16_t n_burst,
                                                        uint32_t len_burst, uint8_t left_padding_num,
                                                        uint8_t right_padding_num, uint32_t src_gap,
                                                        uint32_t dst_gap) {
  using namespace toprope::c_api;
  static_assert(sizeof(T) <= 4, "asc_copy_gm2ub_align takes elements of 8, 16 and 32 bits");
  toprope::isa::copy_pad(
      ub(dst), gm(src),
      toprope::isa::RowMove{n_burst, len_burst, src_gap * toprope::isa::kBlockBytes, dst_gap},
      toprope::isa::Padding{false, left_padding_num, right_padding_num, {}}, sizeof(T));
}
template <class T>
[[gnu::always_inline]] inline void asc_copy_gm2ub_align(__ubuf__ T* dst, __gm__ T* src, uint32_t size) {
  asc_copy_gm2ub_align(dst, src, 1, size, 0, 0, 0, 0);
}
template <class T>
[[gnu::always_inline]] inline void asc_copy_gm2ub_align_sync(__ubuf__ T* dst, __gm__ T* src, uint32_t size) {
  asc_copy_gm2ub_align(dst, src, size);
  toprope::c_api::done();
}

/// The way back: bytes of a row in UB beyond len_burst stay behind. GM takes no padding, so its numbers play
/// no role.
template <class T>
[[gnu::always_inline]] inline void asc_copy_ub2gm_align(__gm__ T* dst, __ubuf__ T* src, uint16_t n_burst,
                                                        uint32_t len_burst, uint8_t, uint8_t,
                                                        uint32_t src_gap, uint32_t dst_gap) {
  using namespace toprope::c_api;
  toprope::isa::copy_pad(
      gm(dst), ub(src),
      toprope::isa::RowMove{n_burst, len_burst, src_gap, dst_gap * toprope::isa::kBlockBytes}, sizeof(T));
}
template <class T>
[[gnu::always_inline]] inline void asc_copy_ub2gm_align(__gm__ T* dst, __ubuf__ T* src, uint32_t size) {
  asc_copy_ub2gm_align(dst, src, 1, size, 0, 0, 0, 0);
}
template <class T>
[[gnu::always_inline]] inline void asc_copy_ub2gm_align_sync(__gm__ T* dst, __ubuf__ T* src, uint32_t size) {
  asc_copy_ub2gm_align(dst, src, size);
  toprope::c_api::done();
}

/// What asc_copy_gm2ub_align puts around rows; of 8, 16 or 32 bits, as the rows' elements.
template <class T>
[[gnu::always_inline]] inline void asc_set_copy_pad_val(T pad_value) {
  static_assert(sizeof(T) <= 4, "asc_set_copy_pad_val takes values of 8, 16 and 32 bits");
  toprope::isa::set_pad_value(toprope::isa::scalar_of(pad_value));
}
