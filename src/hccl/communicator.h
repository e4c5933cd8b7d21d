// A communicator of one rank.
#pragma once
#include <string>

#include "hccl/hccl.h"

namespace toprope::hccl {

struct Communicator {
  std::string name;
};

/// Records "api: text" for aclGetRecentErrMsg; answers `code`.
HcclResult refuse(HcclResult code, const char* api, const std::string& text);

}  // namespace toprope::hccl
