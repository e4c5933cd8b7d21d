#include "tiling/platform/platform_ascendc.h"

#include <cstring>

#include "base/log.h"
#include "base/soc.h"

/// One described chip. Not in an anonymous namespace: its name is the vendor's.
class fe::PlatFormInfos {
 public:
  explicit PlatFormInfos(const toprope::SocInfo& soc) : soc(soc) {}
  const toprope::SocInfo& soc;
};

namespace platform_ascendc {
namespace {

constexpr uint32_t KiB = 1024;
/// Workspace that the vendor's library functions reserve on chips with separate cube and vector cores.
constexpr uint32_t library_workspace = 16 * KiB * KiB;
/// Global memory that one core needs in a GroupBarrier.
constexpr uint32_t barrier_slot = 512;

const toprope::SocInfo& chip(const fe::PlatFormInfos* platform) {
  return platform ? platform->soc : toprope::soc();
}

bool has_vector_registers(const toprope::SocInfo& soc) { return std::strcmp(soc.arch, "dav-3510") == 0; }

}  // namespace

uint32_t PlatformAscendC::GetCoreNum() const { return chip(platformInfo_).aiv; }
uint32_t PlatformAscendC::GetCoreNumAic() const { return chip(platformInfo_).aic; }
uint32_t PlatformAscendC::GetCoreNumAiv() const { return chip(platformInfo_).aiv; }
uint32_t PlatformAscendC::GetCoreNumVector() const { return 0; }

uint32_t PlatformAscendC::CalcTschNumBlocks(uint32_t sliceNum, uint32_t aicCoreNum,
                                            uint32_t aivCoreNum) const {
  if (aicCoreNum == 0 || aivCoreNum == 0 || aicCoreNum > aivCoreNum) return sliceNum;
  const uint32_t vectors = aivCoreNum / aicCoreNum;  // of each cube core
  return (sliceNum + vectors - 1) / vectors;
}

void PlatformAscendC::GetCoreMemSize(const CoreMemType& memType, uint64_t& size) const {
  const toprope::SocInfo& soc = chip(platformInfo_);
  switch (memType) {
    case CoreMemType::L0_A:
      size = soc.l0a;
      break;
    case CoreMemType::L0_B:
      size = soc.l0b;
      break;
    case CoreMemType::L0_C:
      size = soc.l0c;
      break;
    case CoreMemType::L1:
      size = soc.l1;
      break;
    case CoreMemType::L2:
      size = soc.l2;
      break;
    case CoreMemType::UB:
      size = soc.ub - reserved_;
      break;
    case CoreMemType::HBM:
      size = soc.hbm;
      break;
    case CoreMemType::FB:
      size = soc.fb;
      break;
    case CoreMemType::BT:
      size = soc.bt;
      break;
    default:
      size = 0;
  }
}

void PlatformAscendC::GetCoreMemBw(const CoreMemType& memType, uint64_t& bwSize) const {
  // Read rates of the public simulator's ini files, a core.
  const bool registers = has_vector_registers(chip(platformInfo_));
  switch (memType) {
    case CoreMemType::L2:
      bwSize = registers ? 100 : 110;
      break;
    case CoreMemType::HBM:
      bwSize = registers ? 31 : 32;
      break;
    default:
      bwSize = 0;
  }
}

SocVersion PlatformAscendC::GetSocVersion() const {
  return has_vector_registers(chip(platformInfo_)) ? SocVersion::ASCEND950 : SocVersion::ASCEND910B;
}

NpuArch PlatformAscendC::GetCurNpuArch() const {
  return has_vector_registers(chip(platformInfo_)) ? NpuArch::DAV_3510 : NpuArch::DAV_2201;
}

uint32_t PlatformAscendC::GetVecRegLen() const { return has_vector_registers(chip(platformInfo_)) ? 256 : 0; }

uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const { return library_workspace; }

uint32_t PlatformAscendC::GetResGroupBarrierWorkSpaceSize() const {
  return chip(platformInfo_).aiv * barrier_slot;
}

void PlatformAscendC::ReserveLocalMemory(ReservedSize size) {
  switch (size) {
    case ReservedSize::RESERVED_SIZE_8K:
      reserved_ = 8 * KiB;
      break;
    case ReservedSize::RESERVED_SIZE_16K:
      reserved_ = 16 * KiB;
      break;
    case ReservedSize::RESERVED_SIZE_32K:
      reserved_ = 32 * KiB;
      break;
  }
}

PlatformAscendC* PlatformAscendCManager::GetInstance(const char* customSocVersion) {
  static const toprope::SocInfo* const soc = [&]() -> const toprope::SocInfo* {
    if (!customSocVersion || !*customSocVersion) return &toprope::soc();
    const toprope::SocInfo* found = toprope::find_soc(customSocVersion);
    if (!found)
      toprope::log(toprope::LogLevel::Error,
                   "PlatformAscendCManager::GetInstance: " + toprope::unknown_soc_message(customSocVersion));
    return found;
  }();
  if (!soc) return nullptr;
  static fe::PlatFormInfos infos(*soc);
  static PlatformAscendC platform(&infos);
  return &platform;
}

}  // namespace platform_ascendc
