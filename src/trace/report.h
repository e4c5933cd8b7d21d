// The profile as JSON: what `toprope profile` makes its tables and pictures of.
#pragma once
#include <string>

#include "trace/profile.h"

namespace toprope::trace {

/// Everything that the profiler knows, times in cycles of the chip's clock, with the figures it is made of.
std::string report(const Profiler& profiler);

}  // namespace toprope::trace
