// Elements behind a pointer as text. Address spaces vanish here: the memory is found from the address.
// Source: Ascend C API, utilities, asc_dump.
#pragma once
#include "basic_api/kernel_printf.h"

/// Prints `dump_size` elements from GM or a local memory; at most 30 KB.
template <class T>
[[gnu::always_inline]] static inline void asc_dump(const T* input, uint32_t desc, uint32_t dump_size) {
  if constexpr (AscendC::detail::prints) toprope::dump(input, toprope::dtype_of<T>, dump_size, desc);
}
template <class T>
[[gnu::always_inline]] static inline void asc_dump_gm(const T* input, uint32_t desc, uint32_t dump_size) {
  asc_dump(input, desc, dump_size);
}
template <class T>
[[gnu::always_inline]] static inline void asc_dump_ubuf(const T* input, uint32_t desc, uint32_t dump_size) {
  asc_dump(input, desc, dump_size);
}
template <class T>
[[gnu::always_inline]] static inline void asc_dump_l1buf(const T* input, uint32_t desc, uint32_t dump_size) {
  asc_dump(input, desc, dump_size);
}
template <class T>
[[gnu::always_inline]] static inline void asc_dump_cbuf(const T* input, uint32_t desc, uint32_t dump_size) {
  asc_dump(input, desc, dump_size);
}
