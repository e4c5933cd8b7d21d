// Kernels as templates that the host chooses by tiling key: the parameters, the combinations that exist, and
// the key of one. Source: Ascend C API, tiling template programming. A key holds one field for each
// parameter, the first in the lowest bits: for UINT the value's place in the declaration, otherwise the
// value.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace AscendC {

struct ParamStruct {
  const char* name;
  uint32_t paramType;
  uint8_t bitWidth;
  std::vector<uint64_t> vals;
  const char* macroType;
  ParamStruct(const char* inName, uint32_t inParamType, uint8_t inBitWidth, std::vector<uint64_t> inVals,
              const char* inMacroType)
      : name(inName),
        paramType(inParamType),
        bitWidth(inBitWidth),
        vals(std::move(inVals)),
        macroType(inMacroType) {}
};
using TilingDeclareParams = std::vector<ParamStruct>;
using TilingSelectParams = std::vector<std::vector<ParamStruct>>;

}  // namespace AscendC

/// The library of operators (libnnopbase) remembers which combinations an operator has; a kernel's own code
/// is not linked to it.
extern "C" __attribute__((weak)) int toprope_add_template(const char* op_type,
                                                          const AscendC::TilingDeclareParams* declared,
                                                          const AscendC::TilingSelectParams* selected);

enum : uint64_t {
  C_DT_FLOAT = 0,
  C_DT_FLOAT16 = 1,
  C_DT_INT8 = 2,
  C_DT_INT32 = 3,
  C_DT_UINT8 = 4,
  C_DT_INT16 = 6,
  C_DT_UINT16 = 7,
  C_DT_UINT32 = 8,
  C_DT_INT64 = 9,
  C_DT_UINT64 = 10,
  C_DT_DOUBLE = 11,
  C_DT_BOOL = 12,
  C_DT_COMPLEX64 = 16,
  C_DT_BF16 = 27,
  C_DT_INT4 = 29,
  C_DT_UINT1 = 30,
  C_DT_INT2 = 31,
  C_DT_COMPLEX32 = 33,
  C_DT_HIFLOAT8 = 34,
  C_DT_FLOAT8_E5M2 = 35,
  C_DT_FLOAT8_E4M3FN = 36,
  C_DT_FLOAT4_E2M1 = 40,
  C_DT_FLOAT4_E1M2 = 41,
};

enum : uint64_t {
  C_FORMAT_NCHW = 0,
  C_FORMAT_NHWC = 1,
  C_FORMAT_ND = 2,
  C_FORMAT_NC1HWC0 = 3,
  C_FORMAT_FRACTAL_Z = 4,
  C_FORMAT_NC1HWC0_C04 = 12,
  C_FORMAT_HWCN = 16,
  C_FORMAT_NDHWC = 27,
  C_FORMAT_FRACTAL_NZ = 29,
  C_FORMAT_NCDHW = 30,
  C_FORMAT_NDC1HWC0 = 32,
  C_FORMAT_FRACTAL_Z_3D = 33,
  C_FORMAT_NC = 35,
  C_FORMAT_NCL = 47,
};

/// Kinds of parameters.
enum : uint32_t {
  ASCENDC_TPL_DTYPE = 0,
  ASCENDC_TPL_FORMAT = 1,
  ASCENDC_TPL_UINT = 2,
  ASCENDC_TPL_BOOL = 3,
  ASCENDC_TPL_KERNEL_TYPE = 4,
  ASCENDC_TPL_DETERMINISTIC = 5,
  ASCENDC_TPL_SHARED_KERNEL_TYPE = 6,
  TOPROPE_TPL_DATATYPE = 7,  // a C++ type for the kernel, where ASCENDC_TPL_DTYPE is a number
  TOPROPE_TPL_TILING_STRUCT = 8,
};

enum : uint64_t { ASCENDC_TPL_UI_RANGE = 0, ASCENDC_TPL_UI_LIST = 1, ASCENDC_TPL_UI_MIX = 2 };
enum : uint8_t {
  ASCENDC_TPL_1_BW = 1,
  ASCENDC_TPL_2_BW = 2,
  ASCENDC_TPL_3_BW = 3,
  ASCENDC_TPL_4_BW = 4,
  ASCENDC_TPL_5_BW = 5,
  ASCENDC_TPL_6_BW = 6,
  ASCENDC_TPL_7_BW = 7,
  ASCENDC_TPL_8_BW = 8,
  ASCENDC_TPL_16_BW = 16,
};
enum : uint64_t {
  ASCENDC_TPL_AICORE = 0,
  ASCENDC_TPL_AIC_ONLY = 1,
  ASCENDC_TPL_AIV_ONLY = 2,
  ASCENDC_TPL_MIX_AIV_1_0 = 3,
  ASCENDC_TPL_MIX_AIC_1_0 = 4,
  ASCENDC_TPL_MIX_AIC_1_1 = 5,
  ASCENDC_TPL_MIX_AIC_1_2 = 6,
  ASCENDC_TPL_VECTORCORE = 7,
  ASCENDC_TPL_MIX_AICORE = 8,
  ASCENDC_TPL_MIX_VECTOR_CORE = 9,
};

namespace AscendC {

/// Whether a parameter is one of the kernel's, with a field in the key.
inline bool IsTemplateParameter(const ParamStruct& param) {
  return param.paramType != ASCENDC_TPL_KERNEL_TYPE && param.paramType != ASCENDC_TPL_DETERMINISTIC &&
         param.paramType != TOPROPE_TPL_TILING_STRUCT;
}

/// Every value that a declaration or selection lists: ranges of a UINT spelt out, the rest as it stands.
inline std::vector<uint64_t> ListTemplateValues(const ParamStruct& param) {
  if (param.paramType != ASCENDC_TPL_UINT || param.vals.empty()) return param.vals;
  const std::vector<uint64_t>& vals = param.vals;
  std::vector<uint64_t> all;
  size_t next = 1;
  if (vals[0] != ASCENDC_TPL_UI_LIST && vals.size() > 1) {
    next = 2 + 2 * vals[1];
    if (next > vals.size())
      throw std::invalid_argument(std::string(param.name) + ": " + std::to_string(vals[1]) +
                                  " ranges are announced, but their ends are missing");
    for (size_t i = 2; i < next; i += 2)
      for (uint64_t value = vals[i]; value <= vals[i + 1]; ++value) all.push_back(value);
  }
  all.insert(all.end(), vals.begin() + static_cast<std::ptrdiff_t>(next), vals.end());
  return all;
}

/// The key; throws std::invalid_argument naming the values when no selected combination covers them.
inline uint64_t EncodeTilingKey(const TilingDeclareParams& declareParams,
                                const TilingSelectParams& selectParamsVec,
                                const std::vector<uint64_t>& tilingParams) {
  std::string text;
  for (const uint64_t value : tilingParams) text += (text.empty() ? "" : ", ") + std::to_string(value);
  if (tilingParams.size() != declareParams.size())
    throw std::invalid_argument("tiling key of (" + text + "): " + std::to_string(declareParams.size()) +
                                " template parameters are declared");
  const auto covers = [&](const std::vector<ParamStruct>& selected) {
    size_t i = 0;
    for (const ParamStruct& param : selected) {
      if (!IsTemplateParameter(param)) continue;
      if (i == tilingParams.size()) return false;
      bool found = false;
      for (const uint64_t value : ListTemplateValues(param))
        found = found || value == tilingParams[i] || value >> 32 != 0;  // an operand's: known to the caller
      if (!found) return false;
      ++i;
    }
    return i == tilingParams.size();
  };
  bool covered = false;
  for (const auto& selected : selectParamsVec) covered = covered || covers(selected);
  if (!covered)
    throw std::invalid_argument("tiling key of (" + text +
                                "): no ASCENDC_TPL_ARGS_SEL has this combination; add it there, or choose "
                                "another in the tiling function");
  uint64_t key = 0;
  uint32_t shift = 0;
  for (size_t i = 0; i < declareParams.size(); ++i) {
    uint64_t field = tilingParams[i];
    if (declareParams[i].paramType == ASCENDC_TPL_UINT) {
      const std::vector<uint64_t> all = ListTemplateValues(declareParams[i]);
      for (field = 0; field < all.size() && all[field] != tilingParams[i]; ++field) {
      }
      if (field == all.size())
        throw std::invalid_argument("tiling key of (" + text + "): " + declareParams[i].name +
                                    " does not declare " + std::to_string(tilingParams[i]));
    }
    const uint32_t bits = declareParams[i].bitWidth;
    if (shift + bits > 64 || (bits < 64 && field >> bits != 0))
      throw std::invalid_argument(std::string("tiling key: ") + declareParams[i].name +
                                  " needs more than its " + std::to_string(bits) +
                                  " bits, or all fields need more than 64");
    key |= field << shift;
    shift += bits;
  }
  return key;
}

}  // namespace AscendC

/// Stand for the type or format of the x-th input or output.
#define ASCENDC_TPL_INPUT(x) ((uint64_t{1} << 32) + (x))
#define ASCENDC_TPL_OUTPUT(x) ((uint64_t{2} << 32) + (x))

#define TOPROPE_TPL(name, type, bits, macro, ...) \
  ::AscendC::ParamStruct { name, type, bits, {__VA_ARGS__}, macro }

#define ASCENDC_TPL_DTYPE_DECL(x, ...) \
  TOPROPE_TPL(#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) \
  TOPROPE_TPL(#x, TOPROPE_TPL_DATATYPE, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(x, ...) \
  TOPROPE_TPL(#x, ASCENDC_TPL_FORMAT, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(x, bw, ...) TOPROPE_TPL(#x, ASCENDC_TPL_UINT, bw, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(x, ...) TOPROPE_TPL(#x, ASCENDC_TPL_BOOL, ASCENDC_TPL_1_BW, "DECL", __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) \
  TOPROPE_TPL(#x, ASCENDC_TPL_SHARED_KERNEL_TYPE, ASCENDC_TPL_8_BW, "DECL", __VA_ARGS__)

#define ASCENDC_TPL_DTYPE_SEL(x, ...) TOPROPE_TPL(#x, ASCENDC_TPL_DTYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(x, ...) \
  TOPROPE_TPL(#x, TOPROPE_TPL_DATATYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(x, ...) \
  TOPROPE_TPL(#x, ASCENDC_TPL_FORMAT, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(x, ...) TOPROPE_TPL(#x, ASCENDC_TPL_UINT, 0, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(x, ...) TOPROPE_TPL(#x, ASCENDC_TPL_BOOL, ASCENDC_TPL_1_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(x, ...) \
  TOPROPE_TPL(#x, ASCENDC_TPL_SHARED_KERNEL_TYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
// These are no parameters of the kernel and no part of the key.
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) \
  TOPROPE_TPL("kernel_type", ASCENDC_TPL_KERNEL_TYPE, ASCENDC_TPL_8_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) \
  TOPROPE_TPL("deterministic", ASCENDC_TPL_DETERMINISTIC, ASCENDC_TPL_1_BW, "SEL", __VA_ARGS__)
#define ASCENDC_TPL_TILING_STRUCT_SEL(x) TOPROPE_TPL(#x, TOPROPE_TPL_TILING_STRUCT, 0, "SEL", 0)

/// Once in a file, the selection after the declaration. `x` is the operator's type.
#define ASCENDC_TPL_ARGS_DECL(x, ...)                          \
  [[maybe_unused]] static const char* g_tilingTemplateOf = #x; \
  static ::AscendC::TilingDeclareParams g_tilingDeclareParams { __VA_ARGS__ }
#define ASCENDC_TPL_ARGS_SEL(...) {__VA_ARGS__}
#define ASCENDC_TPL_SEL(...)                                                                        \
  static ::AscendC::TilingSelectParams g_tilingSelectParams{__VA_ARGS__};                           \
  [[maybe_unused]] static const int g_tilingTemplateIsKnown =                                       \
      toprope_add_template                                                                          \
          ? toprope_add_template(g_tilingTemplateOf, &g_tilingDeclareParams, &g_tilingSelectParams) \
          : 0

/// The key of one value for each declared parameter, in order.
#define GET_TPL_TILING_KEY(...) \
  ::AscendC::EncodeTilingKey(g_tilingDeclareParams, g_tilingSelectParams, {__VA_ARGS__})

#define ASCENDC_TPL_SEL_PARAM(context, ...)               \
  do {                                                    \
    const uint64_t key = GET_TPL_TILING_KEY(__VA_ARGS__); \
    (context)->SetTilingKey(key);                         \
  } while (0)
