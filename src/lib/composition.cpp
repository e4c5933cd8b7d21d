#include "lib/composition.h"

#include "machine/core_state.h"
#include "toprope/isa/mask.h"

namespace toprope::lib {

Composition::Composition(const char* name, Site site)
    : core_(toprope::core()), outermost_(!core_.state->composed.site), counter_(core_.mask.counter) {
  if (outermost_) core_.state->composed = {name, site};
  if (counter_) isa::set_counter_mode(false);
}

Composition::~Composition() {
  if (counter_) isa::set_counter_mode(true);
  if (outermost_) core_.state->composed = {};
}

void Composition::refuse(std::string_view what, std::string_view cure) const {
  toprope::refuse(core_, core_.state->composed.name, what, cure, core_.state->composed.site);
}

}  // namespace toprope::lib
