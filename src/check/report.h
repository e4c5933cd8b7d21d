// Findings of the checks: said once for each pair of places, counted after that.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "machine/observer.h"

namespace toprope::check {

/// A place in the user's code that a finding is about.
struct Place {
  std::string role;  ///< "Add reads it here", "DataCopy wrote it here"
  std::string word;  ///< what the caret points at on the source line: the instruction's name
  Site site = nullptr;
};

enum class Severity : uint8_t {
  Error,    ///< the device would compute something else, hang or fault
  Warning,  ///< it would work, here and now
};

struct Finding {
  const char* check;    ///< "race", "bounds", …: what TOPROPE_CHECK names
  const char* rule;     ///< stable identifier, "race.raw"; suppressions and SARIF use it
  std::string message;  ///< one sentence: what is wrong, with operand and bytes
  std::string cure;     ///< what to add or change
  std::vector<Place> places;
  std::string kernel;  ///< empty outside kernels
  int block = -1;
  Severity severity = Severity::Error;
  /// Findings of one group at the same places are one: a missing wait shows in many ways. The rule if null.
  const char* group = nullptr;
  bool shown = false;  ///< somebody else prints it
};

/// Collects findings of the whole process. Thread-safe.
class Reporter {
 public:
  /// Prints the finding when its places are new to its group, counts it otherwise.
  void add(Finding finding);
  /// Whether a finding of `group` at these places was added before; counts it again then. Findings repeat as
  /// often as the kernel's loops do, and need not be put into words each time.
  bool repeated(std::string_view group, Site first, Site second, const Core& core);
  /// Prints counts, at process end. The JSON file that TOPROPE_CHECK_JSON names (%p in it is the process's
  /// number) is written anew with each finding, so that it survives a crash, and with the counts here.
  void finish();
  size_t size() const { return findings_.size(); }
  const Finding& operator[](size_t i) const { return findings_[i].finding; }

 private:
  struct Entry {
    Finding finding;
    uint64_t count = 0;
    std::vector<int> blocks;
  };
  using Key = std::tuple<std::string_view, Site, Site>;
  bool count(const Key& key, int block);
  void print(const Finding& finding) const;
  void write_json() const;
  bool suppressed(const Finding& finding) const;

  std::mutex mutex_;
  std::map<Key, size_t> known_;
  std::vector<Entry> findings_;
  uint64_t suppressed_ = 0;
};

Reporter& reporter();

/// Fills in the kernel and block that `core` runs.
void name_block(Finding& finding, const Core& core);

}  // namespace toprope::check
