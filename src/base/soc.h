// The chip that is described to the program: one row of spec/soc.tsv, chosen by TOPROPE_SOC.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toprope {

struct SocInfo {
  const char* name;                        ///< as aclrtGetSocName answers, "Ascend910B3"
  const char* arch;                        ///< as --npu-arch spells it, "dav-2201"
  uint32_t aic, aiv;                       ///< cube and vector cores
  uint32_t ub, l1, l0a, l0b, l0c, bt, fb;  ///< bytes a core
  uint32_t mhz;                            ///< core clock
  uint64_t l2, hbm;                        ///< bytes a chip
};

/// The chip named by TOPROPE_SOC, Ascend910B3 when it is unset. Read once.
/// Throws ConfigError naming the nearest known names when there is no such chip.
const SocInfo& soc();

/// The row of `name` (case does not matter, "Ascend" may be left out, an architecture stands for its default
/// chip), or null.
const SocInfo* find_soc(std::string_view name);

/// All rows, in the table's order.
std::vector<const SocInfo*> all_socs();

/// What to tell somebody who asked for `name`: the nearest names, then all of them.
std::string unknown_soc_message(std::string_view name);

/// Devices that the program sees: TOPROPE_DEVICES, 1..64, 1 when unset. Throws ConfigError outside that
/// range.
int device_count();

}  // namespace toprope
