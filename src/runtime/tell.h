// What the runtime tells the observers. Nothing is paid while there are none.
#pragma once
#include <cstddef>

#include "acl/acl_base.h"
#include "machine/observer.h"

namespace toprope {

void tell(const HostEvent& event, Site site);
void tell(const StreamEvent& event, Site site);

/// Tells of an access to [address, address + bytes) when an allocation that is known here holds it.
void tell_access(HostEvent::Kind kind, const void* address, size_t bytes, const char* api, Site site);

/// Tells of a refused call, with the message that it left for this thread. Answers `error`.
aclError tell_refusal(HostEvent::Kind kind, const void* address, const char* api, aclError error, Site site);

}  // namespace toprope
