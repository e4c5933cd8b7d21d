#include "pto/dtype.h"

namespace pto {

std::string names_of(pto_dtype_set set) {
  // The floating-point types first: they are what most people mean.
  constexpr pto_dtype order[] = {PTO_FLOAT32, PTO_FLOAT16, PTO_BFLOAT16, PTO_INT8,   PTO_INT16,  PTO_INT32,
                                 PTO_INT64,   PTO_UINT8,   PTO_UINT16,   PTO_UINT32, PTO_UINT64, PTO_BOOL};
  std::string text;
  for (const pto_dtype t : order) {
    if (!(set & 1u << t)) continue;
    set &= ~(1u << t);
    if (!text.empty()) text += set ? ", " : " or ";
    text += pto_dtype_name(t);
  }
  return text;
}

}  // namespace pto

const char* pto_dtype_name(pto_dtype dtype) {
  constexpr const char* names[PTO_DTYPE_COUNT] = {"bool",   "int8",    "uint8",    "int16",
                                                  "uint16", "int32",   "uint32",   "int64",
                                                  "uint64", "float16", "bfloat16", "float32"};
  return pto::known(dtype) ? names[dtype] : "?";
}

size_t pto_dtype_size(pto_dtype dtype) { return pto::known(dtype) ? pto::size_of(dtype) : 0; }
