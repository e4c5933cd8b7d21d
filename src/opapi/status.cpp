#include "opapi/status.h"

#include "runtime/error.h"
#include "runtime/stream.h"

namespace toprope::opapi {

int refuse(int status, const char* api, const std::string& text) { return fail_with(status, api, text); }

int in_stream_order(const char* api, void* stream, std::function<void()> work) {
  return guarded_call(api, [&] {
    aclError error = ACL_SUCCESS;
    Stream* target = find_stream(api, stream, error);
    if (target == nullptr) return error;
    if (!target->immediate()) {
      return target->submit(api, Task{api, [work = std::move(work)](Stream&) { work(); }});
    }
    // Done now, so what goes wrong is the answer to this call and leaves the stream usable.
    int status = kSuccess;
    error = target->run_now(api, [&] {
      status = guarded_call(api, [&] {
        work();
        return kSuccess;
      });
    });
    return error != ACL_SUCCESS ? error : status;
  });
}

}  // namespace toprope::opapi
