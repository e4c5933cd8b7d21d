#include "driver/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace toprope::driver {
namespace {

struct Marker {
  std::string file;
  uint32_t line;
  bool system;
};

// `# 12 "a \"b\".h" 1 3` or `#line 12 "a.h"`; nothing for any other line.
std::optional<Marker> read_marker(std::string_view line) {
  size_t i = 1;
  const auto skip_blanks = [&] {
    while (i < line.size() && (line[i] == ' ' || line[i] == '\t')) {
      ++i;
    }
  };
  skip_blanks();
  if (line.substr(i, 4) == "line") {
    i += 4;
    skip_blanks();
  }
  uint64_t number = 0;
  const size_t digits = i;
  while (i < line.size() && line[i] >= '0' && line[i] <= '9' && number < UINT32_MAX) {
    number = number * 10 + static_cast<uint64_t>(line[i++] - '0');
  }
  if (i == digits) {
    return std::nullopt;
  }
  skip_blanks();
  if (i >= line.size() || line[i] != '"') {
    return std::nullopt;
  }
  Marker marker{{}, static_cast<uint32_t>(std::min<uint64_t>(number, UINT32_MAX)), false};
  for (++i; i < line.size() && line[i] != '"'; ++i) {
    if (line[i] == '\\' && i + 1 < line.size()) {
      ++i;
    }
    marker.file += line[i];
  }
  marker.system = i < line.size() && line.substr(i + 1).find('3') != std::string_view::npos;
  return marker;
}

}  // namespace

Source::Source(std::string_view text, std::string file) : text_(text) {
  stretches_.push_back({0, text.size(), std::move(file), 1, false});
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    end = end == std::string_view::npos ? text.size() : end + 1;
    if (text[at] == '#') {
      if (auto marker = read_marker(text.substr(at, end - at))) {
        stretches_.back().end = at;
        stretches_.push_back({end, text.size(), std::move(marker->file), marker->line, marker->system});
      }
    }
    at = end;
  }
}

Position Source::position(size_t offset) const {
  offset = std::min(offset, text_.size());
  auto after = std::upper_bound(stretches_.begin(), stretches_.end(), offset,
                                [](size_t value, const Stretch& stretch) { return value < stretch.begin; });
  const Stretch& stretch = after == stretches_.begin() ? *after : *std::prev(after);
  const std::string_view before = text_.substr(stretch.begin, offset - std::min(offset, stretch.begin));
  const size_t newline = before.rfind('\n');
  const size_t column = newline == std::string_view::npos ? before.size() : before.size() - newline - 1;
  return {stretch.file, stretch.line + static_cast<uint32_t>(std::count(before.begin(), before.end(), '\n')),
          static_cast<uint32_t>(column + 1)};
}

Diagnostic Source::error(size_t offset, std::string message) const {
  Diagnostic diagnostic{position(offset), std::move(message), {}, false};
  const size_t begin = std::min(offset, text_.size()) - (diagnostic.where.column - 1);
  diagnostic.source_line = text_.substr(begin, text_.find('\n', begin) - begin);
  if (!diagnostic.source_line.empty() && diagnostic.source_line.back() == '\r') {
    diagnostic.source_line.pop_back();
  }
  return diagnostic;
}

std::string format(const Diagnostic& diagnostic) {
  const Position& at = diagnostic.where;
  std::string blanks = diagnostic.source_line.substr(0, at.column - 1);
  for (char& c : blanks) {
    c = c == '\t' ? '\t' : ' ';
  }
  return fmt::format("{}:{}:{}: {}: {}\n{:5} | {}\n      | {}^\n", at.file, at.line, at.column,
                     diagnostic.warning ? "warning" : "error", diagnostic.message, at.line,
                     diagnostic.source_line, blanks);
}

}  // namespace toprope::driver
