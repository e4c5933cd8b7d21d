// Text from kernels: printf, assertions, dumps of tensors. Each call reaches standard output in one piece,
// also from blocks that run at the same time, with the core in front as the device's runtime prints it: "[AIV
// Block 3/8] …". Source: Ascend C API, debugging interfaces; utilities, debugging.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "toprope/machine/core.h"
#include "toprope/types/dtype.h"

namespace toprope {

/// A value of printf with its type, so that the conversion decides the form and not the meaning of the bits.
struct PrintArgument {
  enum Kind : uint8_t { Signed, Unsigned, Real, Pointer, Text } kind = Signed;
  uint8_t bytes = 8;
  union {
    int64_t integer;
    double real;
    const void* pointer;
  };
};

template <class T>
PrintArgument print_argument(const T& value) {
  PrintArgument a;
  if constexpr (std::is_convertible_v<T, const char*>) {
    a.kind = PrintArgument::Text;
    a.pointer = static_cast<const char*>(value);
  } else if constexpr (std::is_null_pointer_v<T>) {
    a.kind = PrintArgument::Pointer;
    a.pointer = nullptr;
  } else if constexpr (std::is_pointer_v<std::decay_t<T>>) {
    a.kind = PrintArgument::Pointer;
    a.pointer = (const void*)(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    a.kind = PrintArgument::Real;
    a.real = static_cast<double>(value);
  } else if constexpr (std::is_enum_v<T>) {
    a = print_argument(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_integral_v<T>) {
    a.kind = std::is_signed_v<T> ? PrintArgument::Signed : PrintArgument::Unsigned;
    a.bytes = sizeof(T);
    a.integer = static_cast<int64_t>(value);
  } else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    a.kind = PrintArgument::Real;
    a.real = static_cast<float>(value);
  } else {
    static_assert(std::is_convertible_v<T, int64_t>, "printf takes numbers, pointers and strings");
    a.integer = static_cast<int64_t>(value);
  }
  return a;
}

/// Prints from a kernel; %d %i %u %x %X %o %f %F %e %g %a %s %p %c with C's flags, width and precision. Half
/// and bfloat16 count as floating point. Outside a kernel it prints without the core's name. A call's text is
/// at most 30 KB (or what aclInit's configuration says); a longer one is not printed, and said so. Returns
/// the number of bytes.
int print(const char* format, const PrintArgument* arguments, size_t count);

/// ascendc_assert and assert: prints "[ASSERT] file:line: Assertion `expression' message" and ends the block;
/// outside a kernel it aborts the program, as C's assert does. `function` and `format` may be null.
[[noreturn]] void assertion_failed(const char* file, uint32_t line, const char* function,
                                   const char* expression, const char* format, const PrintArgument* arguments,
                                   size_t count);

/// Trap: ends the block.
[[noreturn]] void trap();

/// DumpTensor: a line with `desc`, address, type, position and count, then the elements. `shape`: as many
/// elements as it has, nested by its dimensions, with a dash for those beyond `elements`; null for one line.
void dump(const Slice& tensor, DType type, uint64_t elements, uint32_t desc, const uint32_t* shape,
          uint32_t dimensions);
/// The same for a bare pointer into GM or a local memory of the running core.
void dump(const void* data, DType type, uint64_t elements, uint32_t desc);

/// LocalTensor::Print: 32 bytes a line, the number of the first element in front.
void print_rows(const Slice& tensor, DType type, uint64_t elements);

/// LocalTensor::ToFile: 0 when the bytes were written.
int32_t write_to_file(const Slice& tensor, uint64_t bytes, const char* path);

/// Copies `bytes` to where they stay unchanged until the block ends; equal bytes share a place.
const void* keep(const void* data, uint32_t bytes);

namespace detail {

template <class... Args>
int print_all(const char* format, const Args&... args) {
  const PrintArgument list[sizeof...(Args) + 1] = {print_argument(args)..., PrintArgument{}};
  return print(format, list, sizeof...(Args));
}

template <class... Args>
[[noreturn]] void assertion_failed(const char* file, uint32_t line, const char* function,
                                   const char* expression, const char* format, const Args&... args) {
  const PrintArgument list[sizeof...(Args) + 1] = {print_argument(args)..., PrintArgument{}};
  toprope::assertion_failed(file, line, function, expression, format, list, sizeof...(Args));
}

}  // namespace detail

}  // namespace toprope
