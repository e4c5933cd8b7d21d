// The files that an operator package is made of, as text, from the definitions in a host library.
#pragma once
#include <string>
#include <vector>

#include "nnopbase/registry.h"

namespace toprope::opbuild {

/// aclnn_<op>.h and aclnn_<op>.cpp: two functions for every version of the interface.
std::string aclnn_header(const ops::OpDef& def);
std::string aclnn_source(const ops::OpDef& def);

/// op_proto.h: the operators as a graph engine declares them.
std::string graph_prototypes(const std::vector<const ops::OpDef*>& defs);

/// The source of one combination's kernel library for a family of chips; @KERNEL_FILE@ stands for the file of
/// the author's kernel. `entry` is null for a kernel that is no template.
std::vector<std::string> kernel_sources(const ops::OpDef& def, const std::string& unit,
                                        const operators::Template* entry);

}  // namespace toprope::opbuild
