/* Begin and end of single-operator calls, and what their executors answer. Source: CANN API, aclnn. */
#pragma once
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As aclInit and aclFinalize; a second call of either is no error. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char *configPath);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

/* An executor that may run more than once; aclDestroyAclOpExecutor ends it. */
ACL_FUNC_VISIBILITY aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor);
/* For an executor that has run and is not repeatable there is nothing left to do. */
ACL_FUNC_VISIBILITY aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor);

#ifdef __cplusplus
}
#endif
