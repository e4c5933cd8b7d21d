/*
 * aclrtc: a kernel compiled from a string while the program runs. The result is a shared library for this
 * machine, which aclrtBinaryLoadFromData loads. What was compiled before, with the same text, headers,
 * options and Toprope, comes from the cache ($XDG_CACHE_HOME/toprope/rtc, ~/.cache/toprope/rtc). Link
 * libacl_rtc. Source: Ascend C API, RTC.
 */
#ifndef TOPROPE_ACL_RT_COMPILE_H_
#define TOPROPE_ACL_RT_COMPILE_H_

#include "acl_base.h"
#include "error_codes/acl_error_codes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void *aclrtcProg;

/* A program of the source `src`, known as `name` ("default_program" when null). `headers` are texts that the
 * source includes as `includeNames`; both may be null when numHeaders is 0. */
ACL_FUNC_VISIBILITY aclError aclrtcCreateProg(aclrtcProg *prog, const char *src, const char *name,
                                              int numHeaders, const char **headers,
                                              const char **includeNames);
/* Asks for a kernel by an expression, "Kernel::add<float>"; before compiling. Needed for templates. */
ACL_FUNC_VISIBILITY aclError aclrtcAddNameExpr(aclrtcProg prog, const char *const nameExpression);
/* Compiles with bisheng's options. ACL_ERROR_RTC_COMPILATION or _LINKING: the log says why. */
ACL_FUNC_VISIBILITY aclError aclrtcCompileProg(aclrtcProg prog, int numOptions, const char **options);
/* The name under which aclrtBinaryGetFunction finds what was asked for; it lives as long as the program. */
ACL_FUNC_VISIBILITY aclError aclrtcGetLoweredName(aclrtcProg prog, const char *nameExpression,
                                                  const char **loweredName);
ACL_FUNC_VISIBILITY aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t *binDataSizeRet);
/* Writes as many bytes as aclrtcGetBinDataSize says. */
ACL_FUNC_VISIBILITY aclError aclrtcGetBinData(aclrtcProg prog, char *binData);
/* Bytes of the last compilation's messages, with the end of the string. */
ACL_FUNC_VISIBILITY aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t *logSizeRet);
ACL_FUNC_VISIBILITY aclError aclrtcGetCompileLog(aclrtcProg prog, char *log);
/* Ends the program and sets *prog to null. */
ACL_FUNC_VISIBILITY aclError aclrtcDestroyProg(aclrtcProg *prog);

#ifdef __cplusplus
}
#endif

#endif
