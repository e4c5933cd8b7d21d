/* The acl C interface: runtime (device, context, stream, event, memory, launch) and single-operator
 * execution. */
#ifndef INC_EXTERNAL_ACL_ACL_H_
#define INC_EXTERNAL_ACL_ACL_H_

#include "acl_op.h"
#include "acl_rt.h"

#endif
