// What the runtime tells the observers. Nothing is paid while there are none.
#pragma once
#include <cstddef>

#include "acl/acl_base.h"
#include "machine/observer.h"

namespace toprope {

void tell(const HostEvent& event, Site site);
void tell(const StreamEvent& event, Site site);

/// Whether somebody watches and an allocation of the runtime holds the address: then its accesses are told.
/// Asked when a task is submitted; when it runs, the memory may be freed, and that is what observers look
/// for.
bool is_watched(const void* address);

/// Tells of a refused call, with the message that it left for this thread. Answers `error`.
aclError tell_refusal(HostEvent::Kind kind, const void* address, const char* api, aclError error, Site site);

}  // namespace toprope
