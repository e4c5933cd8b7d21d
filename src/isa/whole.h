// Rounding to whole numbers by a cast's mode.
#pragma once
#include <cmath>

#include "toprope/isa/cast.h"

namespace toprope::isa {

template <class F>
inline F whole(F v, Round round) {
  switch (round) {
    case Round::Floor:
      return std::floor(v);
    case Round::Ceil:
      return std::ceil(v);
    case Round::Round:
      return std::round(v);
    case Round::Trunc:
      return std::trunc(v);
    case Round::Odd: {
      const F near_zero = std::trunc(v);
      return near_zero == v || std::fmod(near_zero, F{2}) != 0 ? near_zero
                                                               : near_zero + std::copysign(F{1}, v);
    }
    default:
      return std::nearbyint(v);
  }
}

}  // namespace toprope::isa
