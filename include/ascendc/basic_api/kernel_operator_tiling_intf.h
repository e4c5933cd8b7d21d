// How a kernel reads its tiling data: a struct of the user's, copied from the global memory that the host
// filled. Source: Ascend C API, kernel tiling.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "toprope/machine/tiling_key.h"

/// What GET_TILING_DATA reads where no REGISTER_TILING_DEFAULT stands before it.
struct TopropeNoTilingStruct;
#ifdef TOPROPE_OPERATOR_TILING
// In an operator package the struct is made from the host's tiling class (REGISTER_TILING_DATA_CLASS).
using toprope_default_tiling = TOPROPE_OPERATOR_TILING;
#else
using toprope_default_tiling = TopropeNoTilingStruct;
#endif

namespace toprope {

template <class T>
[[gnu::always_inline]] inline T read_tiling(const void* tiling) {
  static_assert(!std::is_same_v<T, TopropeNoTilingStruct>,
                "GET_TILING_DATA: which struct? Put REGISTER_TILING_DEFAULT(Struct) before it, or use "
                "GET_TILING_DATA_WITH_STRUCT");
  static_assert(std::is_trivially_copyable_v<T>, "tiling data is a plain struct for the kernel");
  T out;
  std::memcpy(static_cast<void*>(&out), tiling, sizeof out);
  return out;
}

template <class T, class Member>
[[gnu::always_inline]] inline Member read_tiling_member(const void* tiling, Member T::*member) {
  return read_tiling<T>(tiling).*member;
}

/// Part of tiling data, given as what it is or by its address.
template <class Part>
const void* tiling_part(const Part& part) {
  if constexpr (std::is_pointer_v<Part>)
    return part;
  else
    return &part;
}

}  // namespace toprope

#define __tiling_data_ptr__

/// The struct of GET_TILING_DATA, to the end of the enclosing block.
#define REGISTER_TILING_DEFAULT(tiling_struct) using toprope_default_tiling [[maybe_unused]] = tiling_struct
/// Which struct the kernels of some tiling keys read; the reader names it again.
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct) \
  static_assert(sizeof(expression) > 1 && sizeof(tiling_struct) > 0, "")

#define GET_TILING_DATA(tiling_data, tiling_arg) \
  [[maybe_unused]] const auto tiling_data = ::toprope::read_tiling<toprope_default_tiling>(tiling_arg)
#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg) \
  [[maybe_unused]] const tiling_struct tiling_data = ::toprope::read_tiling<tiling_struct>(tiling_arg)
#define GET_TILING_DATA_MEMBER(tiling_struct, member, tiling_data, tiling_arg) \
  [[maybe_unused]] const auto tiling_data = ::toprope::read_tiling_member(tiling_arg, &tiling_struct::member)
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr) \
  [[maybe_unused]] const auto* dst_ptr = reinterpret_cast<const tiling_struct*>(tiling_ptr)

/// A copy of a struct, or of an array, in tiling data, for the enclosing block; `dst_ptr` points to it.
#define COPY_TILING_WITH_STRUCT(tiling_struct, src_ptr, dst_ptr)              \
  tiling_struct toprope_copy_for_##dst_ptr =                                  \
      ::toprope::read_tiling<tiling_struct>(::toprope::tiling_part(src_ptr)); \
  [[maybe_unused]] tiling_struct* const dst_ptr = &toprope_copy_for_##dst_ptr
#define COPY_TILING_WITH_ARRAY(arr_type, arr_count, src_ptr, dst_ptr)                             \
  arr_type toprope_copy_for_##dst_ptr[arr_count];                                                 \
  static_assert(::std::is_trivially_copyable_v<arr_type>, "tiling data is plain for the kernel"); \
  ::std::memcpy(static_cast<void*>(toprope_copy_for_##dst_ptr), ::toprope::tiling_part(src_ptr),  \
                sizeof toprope_copy_for_##dst_ptr);                                               \
  [[maybe_unused]] auto* const dst_ptr = &toprope_copy_for_##dst_ptr

/// Whether the launch has this tiling key, or one of two.
#define TILING_KEY_IS(key) (::toprope::tiling_key() == static_cast<uint64_t>(key))
#define TILING_KEY_LIST(key1, key2) (TILING_KEY_IS(key1) || TILING_KEY_IS(key2))
