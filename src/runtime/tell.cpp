#include "runtime/tell.h"

#include "base/memory_registry.h"
#include "runtime/error.h"

namespace toprope {

void tell(const HostEvent& event, Site site) {
  for (Observer* o : observers(Heard::Host)) o->on_host(event, site);
}

void tell(const StreamEvent& event, Site site) {
  for (Observer* o : observers(Heard::Stream)) o->on_stream(event, site);
}

bool is_watched(const void* address) {
  return watched() && memory_registry().find(reinterpret_cast<uintptr_t>(address));
}

aclError tell_refusal(HostEvent::Kind kind, const void* address, const char* api, aclError error, Site site) {
  if (error && watched())
    tell({kind, reinterpret_cast<uintptr_t>(address), 0, 0, api, recent_message().c_str()}, site);
  return error;
}

}  // namespace toprope
