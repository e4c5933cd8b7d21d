// The control register: how results that do not fit are treated. Source: Ascend C API, access to special
// registers, SetCtrlSpr and SetSaturationFlag (dav-2201).
#pragma once
#include <cstdint>

namespace toprope::isa {

/// CTRL[48]: half and bfloat16_t results clamp (inf to the largest value, NaN to 0), or stay inf and NaN. A
/// kernel starts as the device's saturation mode says (aclrtSetDeviceSatMode).
void saturate_floats(bool on);
bool floats_saturate();

/// Casts to integers clamp, as every kernel starts, or keep the low bits.
void saturate_casts(bool on);
bool casts_saturate();

}  // namespace toprope::isa
