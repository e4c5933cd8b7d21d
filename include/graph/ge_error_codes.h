// Results of the graph engine. Source: metadef API, graphStatus. For torch_npu's header see graph/types.h.
#pragma once

#if __has_include_next("graph/ge_error_codes.h")
#include_next "graph/ge_error_codes.h"
#else
#include <cstdint>

namespace ge {

using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648;

}  // namespace ge

#endif
