// The aclrtc functions: arguments checked, the work in Program.
#include <cstring>
#include <mutex>
#include <set>

#include "acl/acl_rt_compile.h"
#include "acl_rtc/program.h"
#include "runtime/error.h"

using toprope::fail;
using toprope::guarded;
using toprope::rtc::Program;

namespace {

/// The programs that live, so that a stale handle is told from a good one.
std::mutex mutex;
std::set<Program*>& programs() {
  static std::set<Program*> all;
  return all;
}

/// Runs `body(program)` for a handle of a living program.
template <class Body>
aclError with_program(const char* api, aclrtcProg handle, Body&& body) {
  return guarded(api, [&]() -> aclError {
    auto* program = static_cast<Program*>(handle);
    {
      std::lock_guard lock(mutex);
      if (!programs().count(program))
        return fail(ACL_ERROR_RTC_INVALID_PROG, api, "the program is not one of aclrtcCreateProg");
    }
    return body(*program);
  });
}

/// The same for a program that was compiled, and something to write to.
template <class Body>
aclError with_result(const char* api, aclrtcProg handle, const void* out, Body&& body) {
  return with_program(api, handle, [&](Program& program) -> aclError {
    if (!out) return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "the result pointer is null");
    if (!program.compiled())
      return fail(ACL_ERROR_RTC_INVALID_PROG, api, "call aclrtcCompileProg first, and see that it succeeds");
    return body(program);
  });
}

}  // namespace

extern "C" {

aclError aclrtcCreateProg(aclrtcProg* prog, const char* src, const char* name, int numHeaders,
                          const char** headers, const char** includeNames) {
  constexpr const char* api = "aclrtcCreateProg";
  return guarded(api, [&]() -> aclError {
    if (!prog || !src) return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "{} is null", prog ? "src" : "prog");
    if (numHeaders < 0 || (numHeaders > 0 && (!headers || !includeNames)))
      return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "numHeaders is {}, headers or includeNames do not fit",
                  numHeaders);
    std::vector<Program::Header> texts;
    for (int i = 0; i < numHeaders; ++i) {
      if (!headers[i] || !includeNames[i])
        return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "header {} or its name is null", i);
      texts.emplace_back(includeNames[i], headers[i]);
    }
    auto program = std::make_unique<Program>(src, name && *name ? name : "default_program", std::move(texts));
    std::lock_guard lock(mutex);
    programs().insert(program.get());
    *prog = program.release();
    return ACL_SUCCESS;
  });
}

aclError aclrtcAddNameExpr(aclrtcProg prog, const char* const nameExpression) {
  constexpr const char* api = "aclrtcAddNameExpr";
  return with_program(api, prog, [&](Program& program) -> aclError {
    if (!nameExpression || !*nameExpression)
      return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "the name expression is empty");
    if (program.tried())
      return fail(ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION, api,
                  "{} comes after aclrtcCompileProg; ask for it before", nameExpression);
    program.ask_for(nameExpression);
    return ACL_SUCCESS;
  });
}

aclError aclrtcCompileProg(aclrtcProg prog, int numOptions, const char** options) {
  constexpr const char* api = "aclrtcCompileProg";
  return with_program(api, prog, [&](Program& program) -> aclError {
    if (numOptions < 0 || (numOptions > 0 && !options))
      return fail(ACL_ERROR_RTC_INVALID_OPTION, api, "numOptions is {}, options is {}", numOptions,
                  options ? "given" : "null");
    std::vector<std::string> words;
    for (int i = 0; i < numOptions; ++i) {
      if (!options[i]) return fail(ACL_ERROR_RTC_INVALID_OPTION, api, "option {} is null", i);
      words.push_back(options[i]);
    }
    const aclError error = program.compile(words);
    if (error) return fail(error, api, "{}", program.log());
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetLoweredName(aclrtcProg prog, const char* nameExpression, const char** loweredName) {
  constexpr const char* api = "aclrtcGetLoweredName";
  return with_program(api, prog, [&](Program& program) -> aclError {
    if (!nameExpression || !loweredName)
      return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "nameExpression or loweredName is null");
    if (!program.compiled())
      return fail(ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION, api, "the program is not compiled");
    const char* name = program.lowered(nameExpression);
    if (!name)
      return fail(ACL_ERROR_RTC_NAME_EXPR_NOT_VALID, api,
                  "{} was not asked for; give aclrtcAddNameExpr the same string before compiling",
                  nameExpression);
    *loweredName = name;
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t* binDataSizeRet) {
  return with_result("aclrtcGetBinDataSize", prog, binDataSizeRet, [&](Program& program) -> aclError {
    *binDataSizeRet = program.binary().size();
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetBinData(aclrtcProg prog, char* binData) {
  return with_result("aclrtcGetBinData", prog, binData, [&](Program& program) -> aclError {
    std::memcpy(binData, program.binary().data(), program.binary().size());
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t* logSizeRet) {
  constexpr const char* api = "aclrtcGetCompileLogSize";
  return with_program(api, prog, [&](Program& program) -> aclError {
    if (!logSizeRet) return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "the result pointer is null");
    *logSizeRet = program.log().size() + 1;
    return ACL_SUCCESS;
  });
}

aclError aclrtcGetCompileLog(aclrtcProg prog, char* log) {
  constexpr const char* api = "aclrtcGetCompileLog";
  return with_program(api, prog, [&](Program& program) -> aclError {
    if (!log) return fail(ACL_ERROR_RTC_INVALID_INPUT, api, "the result pointer is null");
    std::memcpy(log, program.log().c_str(), program.log().size() + 1);
    return ACL_SUCCESS;
  });
}

aclError aclrtcDestroyProg(aclrtcProg* prog) {
  constexpr const char* api = "aclrtcDestroyProg";
  if (!prog) return fail(ACL_ERROR_RTC_INVALID_PROG, api, "prog is null");
  return with_program(api, *prog, [&](Program& program) -> aclError {
    {
      std::lock_guard lock(mutex);
      programs().erase(&program);
    }
    delete &program;
    *prog = nullptr;
    return ACL_SUCCESS;
  });
}

}  // extern "C"
