/* Life of the runtime, errors, versions, contexts; the other nouns have a header each under rt/. */
#ifndef INC_EXTERNAL_ACL_ACL_RT_H_
#define INC_EXTERNAL_ACL_ACL_RT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl_base.h"
#include "rt/capture.h"
#include "rt/device.h"
#include "rt/diagnosis.h"
#include "rt/event.h"
#include "rt/launch.h"
#include "rt/memory.h"
#include "rt/stream.h"
#include "rt/unserved.h"
#include "rt/virtual_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the interface. */
#define ACL_MAJOR_VERSION 1
#define ACL_MINOR_VERSION 17
#define ACL_PATCH_VERSION 0

#define ACL_PKG_VERSION_MAX_SIZE 128
#define ACL_PKG_VERSION_PARTS_MAX_SIZE 64

typedef enum aclCANNPackageName {
  ACL_PKG_NAME_CANN,
  ACL_PKG_NAME_RUNTIME,
  ACL_PKG_NAME_COMPILER,
  ACL_PKG_NAME_HCCL,
  ACL_PKG_NAME_TOOLKIT,
  ACL_PKG_NAME_OPP,
  ACL_PKG_NAME_OPP_KERNEL,
  ACL_PKG_NAME_DRIVER
} aclCANNPackageName;
typedef struct aclCANNPackageVersion {
  char version[ACL_PKG_VERSION_MAX_SIZE];
  char majorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char minorVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char releaseVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char patchVersion[ACL_PKG_VERSION_PARTS_MAX_SIZE];
  char reserved[ACL_PKG_VERSION_MAX_SIZE];
} aclCANNPackageVersion;
typedef enum aclrtLastErrLevel {
  ACL_RT_THREAD_LEVEL = 0,
} aclrtLastErrLevel;

/*
 * Starts the runtime. `configPath` is null or a JSON file. ACL_ERROR_REPEAT_INITIALIZE when it runs already,
 * ACL_ERROR_INVALID_FILE when the file cannot be read, ACL_ERROR_PARSE_FILE when it is not JSON,
 * ACL_ERROR_INVALID_PARAM when a TOPROPE_* variable is refused.
 */
ACL_FUNC_VISIBILITY aclError aclInit(const char *configPath);
/* Ends the runtime. ACL_ERROR_UNINITIALIZE before aclInit, ACL_ERROR_REPEAT_FINALIZE the second time. */
ACL_FUNC_VISIBILITY aclError aclFinalize();
/* Takes back one aclInit; `refCount` (may be null) gets how many are left. */
ACL_FUNC_VISIBILITY aclError aclFinalizeReference(uint64_t *refCount);

/*
 * What the last failing call on this thread had to say; taking it clears it ("" when there is nothing). Valid
 * until the thread's next acl call.
 */
ACL_FUNC_VISIBILITY const char *aclGetRecentErrMsg();
/* The last status code other than success on this thread; Get clears it, Peek keeps it. */
ACL_FUNC_VISIBILITY aclError aclrtGetLastError(aclrtLastErrLevel level);
ACL_FUNC_VISIBILITY aclError aclrtPeekAtLastError(aclrtLastErrLevel level);

ACL_FUNC_VISIBILITY aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion,
                                             int32_t *patchVersion);
/* The CANN release whose interface is offered. ACL_ERROR_INVALID_PARAM for a package that is not known. */
ACL_FUNC_VISIBILITY aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version);
/* `versionStr` has room for ACL_PKG_VERSION_MAX_SIZE characters. */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionStr(char *pkgName, char *versionStr);
/* major * 10000000 + minor * 100000 + patch * 1000. */
ACL_FUNC_VISIBILITY aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum);

/*
 * A context belongs to a device and holds a default stream; every thread has at most one current context.
 * aclrtSetDevice makes the device's own (primary) context current; a created one becomes current too.
 */
ACL_FUNC_VISIBILITY aclError aclrtCreateContext(aclrtContext *context, int32_t deviceId);
/* Also destroys the context's default stream, after its work is done. */
ACL_FUNC_VISIBILITY aclError aclrtDestroyContext(aclrtContext context);
ACL_FUNC_VISIBILITY aclError aclrtSetCurrentContext(aclrtContext context);
/* ACL_ERROR_RT_CONTEXT_NULL when the thread has none. */
ACL_FUNC_VISIBILITY aclError aclrtGetCurrentContext(aclrtContext *context);
/* The stream that a null handle stands for. */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetCurrentDefaultStream(aclrtStream *stream);
/* `flags` (may be null) is 0; `active` (may be null) is 1 once a thread has set the device. */
ACL_FUNC_VISIBILITY aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active);

/*
 * Options of the current context (ACL_ERROR_RT_SYSPARAMOPT_NOT_SET until one is set) and of the process (0
 * until set). ACL_OPT_DETERMINISTIC takes a level, 0 to 3; the others take 0 or 1.
 */
ACL_FUNC_VISIBILITY aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value);
ACL_FUNC_VISIBILITY aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value);
ACL_FUNC_VISIBILITY aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value);
ACL_FUNC_VISIBILITY aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value);

#ifdef __cplusplus
}
#endif

#endif
