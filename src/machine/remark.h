// Telling observers what the device would do without a word.
#pragma once
#include "machine/observer.h"

namespace toprope {

void tell_remark(Core& core, const Remark& remark, Site site);

/// Tells observers what make() returns; with none there is nothing to make.
template <class Make>
inline void remark(Core& core, Site site, Make&& make) {
  if (core.watched) [[unlikely]]
    tell_remark(core, make(), site);
}

}  // namespace toprope
