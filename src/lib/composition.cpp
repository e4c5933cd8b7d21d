#include "lib/composition.h"

#include "machine/core_state.h"

namespace toprope::lib {

Composition::Composition(const char* name, Site site)
    : core_(toprope::core()), outermost_(!core_.state->composed.site) {
  if (outermost_) core_.state->composed = {name, site};
}

Composition::~Composition() {
  if (outermost_) core_.state->composed = {};
}

void Composition::refuse(std::string_view what, std::string_view cure) const {
  toprope::refuse(core_, core_.state->composed.name, what, cure, core_.state->composed.site);
}

}  // namespace toprope::lib
