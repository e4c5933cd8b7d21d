// A text to be read, and where each byte of it stands in the user's files: preprocessed text carries line
// markers
// (`# 12 "add.asc" 1 3`), an ordinary file has none.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace toprope::driver {

struct Position {
  std::string file;
  uint32_t line = 1;    ///< from 1
  uint32_t column = 1;  ///< from 1, in bytes
};

/// A mistake, or a doubt, in the user's source.
struct Diagnostic {
  Position where;
  std::string message;
  std::string source_line;  ///< the line that `where` points into, without its end
  bool warning = false;
};

/// `file:line:col: error: message`, the source line and a caret under the column, as compilers print them.
std::string format(const Diagnostic& diagnostic);

class Source {
 public:
  /// `text` must outlive the object. `file` names it until the first line marker.
  Source(std::string_view text, std::string file);

  std::string_view text() const { return text_; }
  Position position(size_t offset) const;
  Diagnostic error(size_t offset, std::string message) const;

  /// A stretch of text with one file name; `system` is what GCC marks as a system header.
  struct Stretch {
    size_t begin, end;  ///< bytes, without the marker's own line
    std::string file;
    uint32_t line;  ///< number of the first line
    bool system;
  };
  const std::vector<Stretch>& stretches() const { return stretches_; }

 private:
  std::string_view text_;
  std::vector<Stretch> stretches_;
};

}  // namespace toprope::driver
