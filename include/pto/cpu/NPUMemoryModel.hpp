// The local memories that tiles outside a kernel lie in, one set a thread. Source: PTO Tile Lib, CPU_SIM
// memory model.
#pragma once
#include "toprope/machine/host_core.h"

namespace pto {

enum class NPUArch : uint8_t { A2A3, A5 };

class NPUMemoryModel {
 public:
  static NPUMemoryModel& Instance() {
    static NPUMemoryModel model;
    return model;
  }
  /// Gives the calling thread the memories of the architecture.
  void Initialize(NPUArch arch) { toprope::set_host_chip(arch == NPUArch::A5 ? "dav-3510" : "dav-2201"); }
  /// Zeroes them.
  void Clear() { toprope::clear_tile_memories(); }
  char* GetUBBase() { return base(toprope::Mem::UB); }
  char* GetL1Base() { return base(toprope::Mem::L1); }
  char* GetL0ABase() { return base(toprope::Mem::L0A); }
  char* GetL0BBase() { return base(toprope::Mem::L0B); }
  char* GetL0CBase() { return base(toprope::Mem::L0C); }

 private:
  char* base(toprope::Mem mem) { return static_cast<char*>(toprope::tile_address(mem, 0)); }
};

}  // namespace pto

#define NPU_MEMORY_INIT(arch) ::pto::NPUMemoryModel::Instance().Initialize(arch)
#define NPU_MEMORY_CLEAR() ::pto::NPUMemoryModel::Instance().Clear()
