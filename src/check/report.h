// Findings of the checks: said once for each pair of places, counted after that.
#pragma once
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
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

enum class Severity : uint8_t { Warning, Error };

struct Finding {
  const char* check;    ///< "race", "bounds", …: what TOPROPE_CHECK names
  const char* rule;     ///< stable identifier, "race.raw"; suppressions and SARIF use it
  std::string message;  ///< one sentence: what is wrong, with operand and bytes
  std::string cure;     ///< what to add or change
  std::vector<Place> places;
  std::string kernel;  ///< empty outside kernels
  int block = -1;
  Severity severity = Severity::Error;
};

/// Collects findings of the whole process. Thread-safe.
class Reporter {
 public:
  /// Prints the finding when its places are new to its check, counts it otherwise: one missing wait shows in
  /// many ways.
  void add(Finding finding);
  /// Prints counts and writes the JSON file that TOPROPE_CHECK_JSON names. At process end.
  void finish();
  size_t size() const { return findings_.size(); }

 private:
  struct Entry {
    Finding finding;
    uint64_t count = 0;
    std::vector<int> blocks;
  };
  using Key = std::tuple<std::string, Site, Site>;
  void print(const Finding& finding) const;
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
