// How a library defines PTO instructions of its own. C++17; needs -lpto.
//
//   namespace {
//   void run(const pto::Call& call) {
//     const int64_t n = call.operands[0].elements;
//     alignas(64) float t[1024];                      // a temporary of one block, not of the whole tensor
//     for (int64_t i = 0; i < n; i += 1024) {
//       const int64_t here = std::min<int64_t>(1024, n - i);
//       pto::unary(pto::Unary::Exp, t, call.in<float>(0) + i, here);
//       pto::binary(pto::Binary::Add, call.out<float>(1) + i, t, call.in<float>(0) + i, here);
//     }
//   }
//   const pto::Operand operands[] = {{"x", PTO_IN, pto::one(PTO_FLOAT32), "", "[M, N]"},
//                                    {"y", PTO_OUT, pto::one(PTO_FLOAT32), "", "[M, N]"}};
//   const pto::Insn insns[] = {{"ExpPlus", "y = exp(x) + x", operands, 2, nullptr, 0, "M N",
//   pto::kElementwise, run}}; const pto::Library library = {PTO_INSN_ABI, "my.package", insns, 1};
//   }
//   extern "C" PTO_API const pto::Library* pto_insn_library() { return &library; }
//
// Compile with g++ -shared -fPIC and load with pto_library_load or pypto.load_custom_insn. The operations
// below are the instruction set's own arithmetic: f16 and bf16 operands are rounded once after each
// operation.
#pragma once
#include "pto/pto.h"

/// Version of the structures in this file. A library built against another one is refused by name.
#define PTO_INSN_ABI 1

namespace pto {

/// Storage of the 16-bit floating-point types.
struct float16 {
  uint16_t bits;
};
struct bfloat16 {
  uint16_t bits;
};

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<bool> {
  static constexpr pto_dtype value = PTO_BOOL;
};
template <>
struct DTypeOf<int8_t> {
  static constexpr pto_dtype value = PTO_INT8;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr pto_dtype value = PTO_UINT8;
};
template <>
struct DTypeOf<int16_t> {
  static constexpr pto_dtype value = PTO_INT16;
};
template <>
struct DTypeOf<uint16_t> {
  static constexpr pto_dtype value = PTO_UINT16;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr pto_dtype value = PTO_INT32;
};
template <>
struct DTypeOf<uint32_t> {
  static constexpr pto_dtype value = PTO_UINT32;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr pto_dtype value = PTO_INT64;
};
template <>
struct DTypeOf<uint64_t> {
  static constexpr pto_dtype value = PTO_UINT64;
};
template <>
struct DTypeOf<float16> {
  static constexpr pto_dtype value = PTO_FLOAT16;
};
template <>
struct DTypeOf<bfloat16> {
  static constexpr pto_dtype value = PTO_BFLOAT16;
};
template <>
struct DTypeOf<float> {
  static constexpr pto_dtype value = PTO_FLOAT32;
};

constexpr pto_dtype_set one(pto_dtype t) { return 1u << t; }

// --- What an instruction declares. ---

struct Operand {
  const char* name;
  pto_direction direction;
  pto_dtype_set dtypes;      ///< one or more
  const char* dtype_symbol;  ///< operands with the same symbol ("T") have the same element type; "" is alone
  /// "[M, K]": symbols, constants and expressions of both with + - * / and parentheses ("[M, 2*N]", "[M,
  /// 1]"). A symbol gets its value where it stands alone, or where it is the only unknown of a linear
  /// expression.
  /// "[...]" takes any shape and "[..., N]" any leading sizes, the same for each operand of the instruction
  /// that has them; "[*]" takes any shape, whatever the others have. "[]" is one element.
  const char* shape;
};

struct Attribute {
  const char* name;
  pto_attribute_kind kind;
  const char* choices;       ///< CHOICE: the words, separated by blanks; otherwise ""
  const char* dtype_symbol;  ///< SCALAR: the element type it is given in; otherwise ""
  bool has_default;
  double default_value;  ///< CHOICE: the place of the word
};

/// An operand when the instruction runs: contiguous, row-major, of a type and shape that were checked.
struct Tensor {
  void* data;
  pto_dtype dtype;
  int32_t rank;
  const int64_t* shape;
  int64_t elements;
};

/// An attribute's value: `f` and `i` both, where the number exists in both.
struct Value {
  double f;
  int64_t i;
};

/// What a running instruction sees. An output may be the very memory of an input when the instruction is
/// kElementwise; otherwise outputs share memory with nothing.
struct Call {
  const Tensor* operands;   ///< in the order of Insn::operands
  const Value* attributes;  ///< in the order of Insn::attributes
  const int64_t* symbols;   ///< values of the shape symbols, in the order of Insn::symbols

  template <class T>
  const T* in(int operand) const {
    return static_cast<const T*>(operands[operand].data);
  }
  template <class T>
  T* out(int operand) const {
    return static_cast<T*>(operands[operand].data);
  }
};

/// Flag: element i of every output depends on the elements i of the inputs, which have its shape, and on
/// attributes only, so that an output may be written over an input.
inline constexpr uint32_t kElementwise = 1;

struct Insn {
  const char* name;
  const char* summary;  ///< one line: what it computes
  const Operand* operands;
  int32_t operand_count;
  const Attribute* attributes;
  int32_t attribute_count;
  const char* symbols;  ///< the shape symbols in the order of Call::symbols, separated by blanks: "M K N"
  uint32_t flags;
  /// Computes the outputs. May be called by several threads at once. Throws std::exception to refuse values;
  /// its text becomes the error of pto_insn_execute.
  void (*run)(const Call& call);
};

struct Library {
  uint32_t abi;         ///< PTO_INSN_ABI
  const char* package;  ///< for messages
  const Insn* insns;
  int32_t count;
};

// The symbol that pto_library_load looks for: extern "C" PTO_API const pto::Library* pto_insn_library();

// --- The arithmetic: operations on n consecutive elements. ---
//
// A result may start where an operand starts (in place), not elsewhere within it. Pointers need the alignment
// of their element only, and n may be 0. Arithmetic takes every floating-point and integer type; Exp, Log,
// Sqrt, Rsqrt, Sigmoid and Tanh take floating-point ones, And, Or, Xor, Shl and Shr integers (the first
// three, and Not, bool too). Another type throws std::invalid_argument.

enum class Binary : int32_t {
  Add,
  Sub,
  Mul,
  Div,  ///< integers towards 0; integer division by 0 gives 0
  Max,  ///< NaN if one is NaN
  Min,
  Rem,   ///< remainder with the divisor's sign
  Fmod,  ///< remainder with the dividend's sign
  Pow,
  And,
  Or,
  Xor,
  Shl,
  Shr
};

enum class Unary : int32_t { Abs, Neg, Exp, Log, Sqrt, Rsqrt, Recip, Relu, Sigmoid, Tanh, Not };

/// With NaN every comparison is false, Ne too: so the instructions compare.
enum class Compare : int32_t { Eq, Ne, Lt, Gt, Ge, Le };

enum class Reduce : int32_t { Sum, Prod, Max, Min };

/// Rounding, in the numbers of Ascend C's RoundMode.
enum class Round : int32_t { None, Rint, Floor, Ceil, Round, Trunc, Odd };

/// Which operand of a binary operation is one element that stands for all n.
enum class Spread : int32_t { No, First, Second };

extern "C" {
PTO_API void pto_block_binary(Binary op, pto_dtype type, void* dst, const void* a, const void* b, size_t n,
                              Spread spread);
PTO_API void pto_block_unary(Unary op, pto_dtype type, void* dst, const void* a, size_t n);
/// dst: PTO_BOOL elements.
PTO_API void pto_block_compare(Compare op, pto_dtype type, void* dst, const void* a, const void* b, size_t n,
                               Spread spread);
/// dst[i] = condition[i] ? a[i] : b[i]; elements of `size` bytes (1, 2, 4, 8).
PTO_API void pto_block_select(size_t size, void* dst, const void* condition, const void* a, const void* b,
                              size_t n, Spread spread);
/// Any pair of element types. To integers: rounds, then clamps to the range, NaN becomes 0; to bool: whether
/// it is not 0; from float to float: rounds to an integral value. dst may not overlap src.
PTO_API void pto_block_cast(pto_dtype to, void* dst, pto_dtype from, const void* src, Round round, size_t n);
/// n copies of the element of `size` bytes (1, 2, 4, 8) at `value`.
PTO_API void pto_block_fill(size_t size, void* dst, const void* value, size_t n);
/// `value`, rounded to the element type, into *dst: how constants and attributes become operands.
PTO_API void pto_block_constant(pto_dtype type, void* dst, Value value);

/// dst[o, i] = the reduction of src[o, 0..n, i]: src is [outer, n, inner], dst is [outer, inner]. The
/// reduction of nothing is 0, 1, -inf or inf (integers: the ends of the range). Each addition of f16 and f32
/// is rounded, in the instructions' order: with inner = 1 a binary tree over each 256 bytes, whose results
/// are added in order; otherwise rows in order. bf16 is the same but for inner = 1, where it is summed in f32
/// and rounded once.
PTO_API void pto_reduce(Reduce op, pto_dtype type, void* dst, const void* src, int64_t outer, int64_t n,
                        int64_t inner);
/// The place (0..n-1, int32) of the first greatest or least element; a NaN is both.
PTO_API void pto_reduce_index(Reduce op, pto_dtype type, void* dst, const void* src, int64_t outer, int64_t n,
                              int64_t inner);
/// dst (dense, sizes shape[perm[0]], shape[perm[1]], …) = src with its axes permuted; elements of `size`
/// bytes.
PTO_API void pto_transpose(size_t size, void* dst, const void* src, int rank, const int64_t* shape,
                           const int* perm);
/// dst (dense, `shape`) = src read with `strides` in elements; a stride of 0 repeats. How broadcasting is
/// made.
PTO_API void pto_gather_strided(size_t size, void* dst, const void* src, int rank, const int64_t* shape,
                                const int64_t* strides);
/// c[m, n] = a[m, k] · b[k, n] + start: start is `bias` ([n], or NULL for 0), or c itself with `accumulate`.
/// Types of a and b: both FLOAT32, FLOAT16 or BFLOAT16 with c FLOAT32 or of that type (sums in f32, rounded
/// once), or INT8 with c INT32. bias has c's type. Leading sizes: dense.
PTO_API void pto_matmul(pto_dtype type, pto_dtype out, void* c, const void* a, const void* b,
                        const void* bias, bool accumulate, int64_t m, int64_t k, int64_t n);
}

template <class T>
void binary(Binary op, T* dst, const T* a, const T* b, int64_t n, Spread spread = Spread::No) {
  pto_block_binary(op, DTypeOf<T>::value, dst, a, b, static_cast<size_t>(n), spread);
}
template <class T>
void unary(Unary op, T* dst, const T* a, int64_t n) {
  pto_block_unary(op, DTypeOf<T>::value, dst, a, static_cast<size_t>(n));
}
template <class T>
void compare(Compare op, bool* dst, const T* a, const T* b, int64_t n, Spread spread = Spread::No) {
  pto_block_compare(op, DTypeOf<T>::value, dst, a, b, static_cast<size_t>(n), spread);
}
template <class T>
void select(T* dst, const bool* condition, const T* a, const T* b, int64_t n, Spread spread = Spread::No) {
  pto_block_select(sizeof(T), dst, condition, a, b, static_cast<size_t>(n), spread);
}
template <class To, class From>
void cast(To* dst, const From* src, int64_t n, Round round = Round::Rint) {
  pto_block_cast(DTypeOf<To>::value, dst, DTypeOf<From>::value, src, round, static_cast<size_t>(n));
}
template <class T>
void fill(T* dst, T value, int64_t n) {
  pto_block_fill(sizeof(T), dst, &value, static_cast<size_t>(n));
}
/// A number as an element.
template <class T>
T constant(Value value) {
  T result;
  pto_block_constant(DTypeOf<T>::value, &result, value);
  return result;
}
template <class T>
T constant(double value) {
  const bool whole = value > -9.2e18 && value < 9.2e18;
  return constant<T>(Value{value, whole ? static_cast<int64_t>(value) : 0});
}
template <class T>
void reduce(Reduce op, T* dst, const T* src, int64_t outer, int64_t n, int64_t inner = 1) {
  pto_reduce(op, DTypeOf<T>::value, dst, src, outer, n, inner);
}
template <class T>
void transpose(T* dst, const T* src, int rank, const int64_t* shape, const int* perm) {
  pto_transpose(sizeof(T), dst, src, rank, shape, perm);
}
template <class T>
void gather_strided(T* dst, const T* src, int rank, const int64_t* shape, const int64_t* strides) {
  pto_gather_strided(sizeof(T), dst, src, rank, shape, strides);
}
template <class Out, class In>
void matmul(Out* c, const In* a, const In* b, int64_t m, int64_t k, int64_t n, const Out* bias = nullptr,
            bool accumulate = false) {
  pto_matmul(DTypeOf<In>::value, DTypeOf<Out>::value, c, a, b, bias, accumulate, m, k, n);
}

}  // namespace pto
