// How an operator call ends: its status, the text that aclGetRecentErrMsg gives, and the stream's order.
#pragma once
#include <exception>
#include <functional>
#include <string>

#include "nnopbase/status.h"

namespace toprope::opapi {

using operators::kInner, operators::kParamInvalid, operators::kParamNull, operators::kSuccess;

/// Sets the message of this thread; answers `status`.
int refuse(int status, const char* api, const std::string& text);

/// Runs `work` as the next task of the stream (null: the current context's default stream). What it throws
/// becomes the call's status where it runs at once, the stream's fault where it runs later.
int in_stream_order(const char* api, void* stream, std::function<void()> work);

template <class Body>
int guarded_call(const char* api, Body&& body) noexcept {
  try {
    return body();
  } catch (const std::exception& error) {
    return refuse(kParamInvalid, api, error.what());
  }
}

}  // namespace toprope::opapi
