// What host code of operators asks about the chip: cores, memory sizes, names. The chip is the one that
// TOPROPE_SOC describes, or the one that a program names. Source: Ascend C API, platform information.
#pragma once
#include <cstdint>

#include "platform/soc_spec.h"

namespace fe {
/// A described chip; programs only pass pointers to it on.
class PlatFormInfos;
}  // namespace fe

namespace platform_ascendc {

enum class CoreMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED
};

enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };

/// Chips of Atlas A3 answer ASCEND910B, as those of Atlas A2 do.
enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND910_95,
  ASCEND950 = ASCEND910_95,
  RESERVED_VERSION = 99999
};

class PlatformAscendC {
 public:
  PlatformAscendC() = delete;
  ~PlatformAscendC() = default;
  /// Null stands for the chip of TOPROPE_SOC.
  explicit PlatformAscendC(fe::PlatFormInfos* platformInfo) : platformInfo_(platformInfo) {}

  /// Vector cores; on a chip without separate vector cores, AI cores.
  uint32_t GetCoreNum() const;
  uint32_t GetCoreNumAic() const;
  uint32_t GetCoreNumAiv() const;
  /// Vector cores beside the AI cores; no chip described here has any.
  uint32_t GetCoreNumVector() const;
  /// Groups of one cube core and its vector cores that `sliceNum` slices need; the slices themselves when the
  /// operator uses one kind of core only (the other number is 0).
  uint32_t CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum, uint32_t aivCoreNum) const;
  /// Bytes of a memory; UB less what ReserveLocalMemory set aside. 0 for RESERVED.
  void GetCoreMemSize(const CoreMemType& memType, uint64_t& size) const;
  /// Bytes a cycle of L2 and HBM; the other memories have none (0).
  void GetCoreMemBw(const CoreMemType& memType, uint64_t& bwSize) const;
  SocVersion GetSocVersion() const;
  NpuArch GetCurNpuArch() const;
  /// Bytes of a vector register; 0 on chips whose vectors work on memory.
  uint32_t GetVecRegLen() const;
  /// Bytes of workspace that the library's own functions may use.
  uint32_t GetLibApiWorkSpaceSize() const;
  /// Bytes that a GroupBarrier of all vector cores needs: 512 a core.
  uint32_t GetResGroupBarrierWorkSpaceSize() const;
  /// Sets a part of UB aside; the last call counts.
  void ReserveLocalMemory(ReservedSize size);

 private:
  fe::PlatFormInfos* platformInfo_ = nullptr;
  uint32_t reserved_ = 0;
};

class PlatformAscendCManager {
 public:
  /// The chip of TOPROPE_SOC, or the one an earlier call named.
  static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
  /// The first call names the chip; null when no chip has that name.
  static PlatformAscendC* GetInstance(const char* customSocVersion);
};

}  // namespace platform_ascendc
