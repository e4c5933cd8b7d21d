// The state of a core, workspaces, and what a super kernel's parts tell each other.
// Source: Ascend C API, InitSocState; access to special registers; workspace; synchronisation between tasks.
#pragma once
#include "basic_api/kernel_common.h"
#include "basic_api/kernel_event.h"
#include "toprope/isa/control.h"
#include "toprope/machine/guard.h"
#include "toprope/machine/system.h"

namespace AscendC {

/// Store atomics off, mask in normal mode with all elements. A TPipe does it; without one a kernel starts
/// with it.
[[gnu::always_inline]] inline void InitSocState() { toprope::init_core_state(); }

/// Bits of the control register. This chip documents CTRL[48] alone: 0 clamps half and bfloat16_t results, 1
/// leaves inf and NaN. A kernel starts with what the device's saturation mode says, inf and NaN by default.
template <int8_t startBit, int8_t endBit>
[[gnu::always_inline]] static inline void SetCtrlSpr(int64_t value) {
  static_assert(startBit == 48 && endBit == 48, "SetCtrlSpr sets CTRL[48] on this chip");
  toprope::isa::saturate_floats((value & 1) == 0);
}
template <int8_t startBit, int8_t endBit>
[[gnu::always_inline]] static inline int64_t GetCtrlSpr() {
  static_assert(startBit >= 0 && startBit <= endBit && endBit <= 63, "CTRL has the bits 0 to 63");
  const uint64_t ctrl = static_cast<uint64_t>(!toprope::isa::floats_saturate()) << 48;
  constexpr int bits = endBit - startBit + 1;
  return static_cast<int64_t>(ctrl >> startBit &
                              (bits == 64 ? ~uint64_t{0} : (uint64_t{1} << (bits % 64)) - 1));
}

/// FLOAT: half and bfloat16_t results of calculations and conversions. CAST: conversions to integers, which
/// keep the low bits when saturation is off.
enum class SaturationMode : uint8_t { FLOAT, CAST };

template <SaturationMode mode>
[[gnu::always_inline]] inline void SetSaturationFlag(bool enableSat) {
  if constexpr (mode == SaturationMode::FLOAT)
    toprope::isa::saturate_floats(enableSat);
  else
    toprope::isa::saturate_casts(enableSat);
}
template <SaturationMode mode>
[[gnu::always_inline]] inline bool GetSaturationFlag() {
  return mode == SaturationMode::FLOAT ? toprope::isa::floats_saturate() : toprope::isa::casts_saturate();
}

/// Which accesses to the DataBlocks behind startAddr up to endAddr (itself included) of UB are mistakes.
struct CheckLocalMemoryIAParam {
  CheckLocalMemoryIAParam() = default;
  CheckLocalMemoryIAParam(const uint8_t bit, const uint32_t start, const uint32_t end, const bool scalarRead,
                          const bool scalarWrite, const bool vectorRead, const bool vectorWrite,
                          const bool mteRead, const bool mteWrite, const bool enable)
      : enableBit(bit),
        startAddr(start),
        endAddr(end),
        isScalarRead(scalarRead),
        isScalarWrite(scalarWrite),
        isVectorRead(vectorRead),
        isVectorWrite(vectorWrite),
        isMteRead(mteRead),
        isMteWrite(mteWrite),
        isEnable(enable) {}
  uint8_t enableBit = 0;  ///< register 0 to 3
  uint32_t startAddr = 0, endAddr = 0;
  bool isScalarRead = false, isScalarWrite = false, isVectorRead = false, isVectorWrite = false,
       isMteRead = false, isMteWrite = false;
  bool isEnable = false;
  uint32_t reserved = 0;
};

/// Sets a register; an access that meets it ends the block. Reset it with isEnable = false.
[[gnu::always_inline]] inline void CheckLocalMemoryIA(const CheckLocalMemoryIAParam& checkParams) {
  const CheckLocalMemoryIAParam& p = checkParams;
  const auto kinds = static_cast<uint8_t>(p.isScalarRead | p.isScalarWrite << 1 | p.isVectorRead << 2 |
                                          p.isVectorWrite << 3 | p.isMteRead << 4 | p.isMteWrite << 5);
  toprope::guard_local_memory(p.enableBit,
                              {p.startAddr, p.endAddr, p.isEnable ? kinds : static_cast<uint8_t>(0)});
}

/// Tells the framework's functions where the workspace is that the kernel was given.
[[gnu::always_inline]] inline void SetSysWorkspace(GM_ADDR workspace) {
  toprope::set_system_workspace(workspace);
}
[[gnu::always_inline]] inline void SetSysWorkSpace(GM_ADDR workspace) {
  toprope::set_system_workspace(workspace);
}
/// The user's part of a workspace, behind the framework's 16 MiB.
[[gnu::always_inline]] inline GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  return workspace + toprope::kSystemWorkspaceBytes;
}

/// Parts of a super kernel overlap with these; in a kernel launched by itself they have no effect, as
/// documented.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
[[gnu::always_inline]] inline void SetNextTaskStart() {}
template <bool FORCE = false>
[[gnu::always_inline]] inline void WaitPreTaskEnd() {}

}  // namespace AscendC

/// The framework's part of the workspace; null before SetSysWorkspace.
[[gnu::always_inline]] inline __gm__ uint8_t* GetSysWorkSpacePtr() { return toprope::system_workspace(); }
namespace AscendC {
using ::GetSysWorkSpacePtr;
}
