// One program of aclrtc: a text, the kernels asked for, and what became of it.
#pragma once
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "acl/acl_base.h"

namespace toprope::rtc {

class Program {
 public:
  using Header = std::pair<std::string, std::string>;  ///< name, text

  Program(std::string source, std::string name, std::vector<Header> headers);

  void ask_for(const std::string& name) { names_.push_back(name); }
  bool compiled() const { return !library_.empty(); }
  bool tried() const { return tried_; }
  /// ACL_SUCCESS or ACL_ERROR_RTC_INVALID_OPTION, _COMPILATION, _LINKING; log() has the compiler's words.
  aclError compile(const std::vector<std::string>& options);
  const std::string& log() const { return log_; }
  const std::vector<char>& binary() const { return binary_; }
  /// The mangled name of a kernel that was asked for; null when it was not.
  const char* lowered(const std::string& name);

 private:
  std::string text() const;
  std::string key(const std::vector<std::string>& options) const;
  bool build(const std::filesystem::path& directory, const std::vector<std::string>& options);

  std::string source_, name_;
  std::vector<Header> headers_;
  std::vector<std::string> names_;
  std::deque<std::pair<std::string, std::string>> lowered_;  ///< its strings stay where they are
  bool tried_ = false;
  std::string log_;
  std::filesystem::path library_;
  std::shared_ptr<void> lifetime_;
  std::vector<char> binary_;
};

}  // namespace toprope::rtc
