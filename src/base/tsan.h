// What ThreadSanitizer cannot see by itself: the order that a library makes which was not built for it.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace toprope {

/// What the calling thread did before a release of `what` comes before what another does after its acquire.
inline void tsan_release([[maybe_unused]] void* what) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(what);
#endif
}

inline void tsan_acquire([[maybe_unused]] void* what) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(what);
#endif
}

}  // namespace toprope
