// TransData. Source: Ascend C API, high-level API, tensor transformation, TransData.
#pragma once
#include "basic_api/kernel_struct_layout.h"
#include "lib/temporary.h"
#include "lib/transpose/trans_data_config.h"
#include "toprope/lib/transform.h"

namespace AscendC {

/// Extents of source and destination, each in the order of its format.
template <class T, class U>
struct TransDataParams {
  T srcLayout;
  U dstLayout;
};

namespace detail {
/// n, c, d, h and w come from the layout in NCDHW.
template <const TransDataConfig& config, class T, class U, class S>
[[gnu::always_inline]] inline void trans_data(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                              const TransDataParams<U, S>& params,
                                              const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  using namespace toprope::types;
  static_assert(toprope::contains(I16 | U16 | F16 | BF16, type),
                "TransData takes int16_t, uint16_t, half or bfloat16_t");
  constexpr bool back = config.dstFormat == DataFormat::NCDHW;
  constexpr DataFormat other = back ? config.srcFormat : config.dstFormat;
  static_assert((back || config.srcFormat == DataFormat::NCDHW) &&
                    (other == DataFormat::NDC1HWC0 || other == DataFormat::FRACTAL_Z_3D),
                "TransData converts between NCDHW and NDC1HWC0 or FRACTAL_Z_3D");
  const auto run = [&](const auto& shape) {
    const auto extent = [](auto value) { return static_cast<uint32_t>(value); };
    toprope::lib::trans_data(
        back, dst.slice(), src.slice(),
        {extent(Std::get<0>(shape)), extent(Std::get<1>(shape)), extent(Std::get<2>(shape)),
         extent(Std::get<3>(shape)) * extent(Std::get<4>(shape)), other == DataFormat::FRACTAL_Z_3D},
        memory);
  };
  if constexpr (back)
    run(params.dstLayout.GetShape());
  else
    run(params.srcLayout.GetShape());
}
}  // namespace detail

/// In NCDHW the H W elements of a plane are padded to a multiple of 32 bytes. What C and N lack to a multiple
/// of 16 is 0 in the other formats.
template <const TransDataConfig& config, class T, class U, class S>
[[gnu::always_inline]] inline void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                                             const TransDataParams<U, S>& params) {
  detail::trans_data<config>(dstTensor, srcTensor, params, detail::temporary(sharedTmpBuffer));
}
template <const TransDataConfig& config, class T, class U, class S>
[[gnu::always_inline]] inline void TransData(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                             const TransDataParams<U, S>& params) {
  detail::trans_data<config>(dstTensor, srcTensor, params, toprope::lib::Temporary());
}

}  // namespace AscendC
