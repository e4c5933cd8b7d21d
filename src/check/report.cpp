#include "check/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "machine/core_state.h"
#include "machine/symbolize.h"

namespace toprope::check {
namespace {

constexpr size_t kSuppressed = ~size_t{0};  // in Reporter::known_

/// The text of a source line, empty when the file cannot be read.
std::string source_line(const std::string& file, uint32_t line) {
  std::ifstream in(file);
  std::string text;
  for (uint32_t i = 0; i < line; ++i)
    if (!std::getline(in, text)) return {};
  return text;
}

/// Where the caret goes: under `word`, else under the first thing on the line; npos on an empty one.
size_t column(const std::string& text, const std::string& word) {
  const size_t at = word.empty() ? std::string::npos : text.find(word);
  return at != std::string::npos ? at : text.find_first_not_of(" \t");
}

/// "  57 |   AscendC::Add(z, x, y, n);" and a caret under `word`.
std::string quoted(const SourcePosition& p, const std::string& word) {
  const std::string text = source_line(p.file, p.line);
  const size_t first = column(text, word);
  if (first == std::string::npos) return {};
  char number[16];
  std::snprintf(number, sizeof number, "%6u | ", p.line);
  std::string out = number + text + "\n       | ";
  for (size_t i = 0; i < first; ++i) out += text[i] == '\t' ? '\t' : ' ';
  return out + "^\n";
}

/// ", in blocks 0 to 7, 12"; nothing outside kernels.
std::string blocks_text(std::vector<int> blocks) {
  if (blocks.empty()) return {};
  std::ranges::sort(blocks);
  std::string text;
  for (size_t i = 0; i < blocks.size();) {
    size_t last = i;
    while (last + 1 < blocks.size() && blocks[last + 1] == blocks[last] + 1) ++last;
    text += (text.empty() ? " " : ", ") + std::to_string(blocks[i]);
    if (last > i) text += " to " + std::to_string(blocks[last]);
    i = last + 1;
  }
  return (blocks.size() == 1 ? ", in block" : ", in blocks") + text;
}

const char* name_of(Severity severity) { return severity == Severity::Error ? "error" : "warning"; }

/// The JSON file, empty when none is asked for.
std::string json_path() {
  const char* name = std::getenv("TOPROPE_CHECK_JSON");
  std::string path = name ? name : "";
  if (const size_t at = path.find("%p"); at != std::string::npos)
    path.replace(at, 2, std::to_string(getpid()));
  return path;
}

/// Lines of the file that TOPROPE_CHECK_SUPPRESS names: "rule" or "rule:text in the source position".
const std::vector<std::string>& suppressions() {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> all;
    const char* name = std::getenv("TOPROPE_CHECK_SUPPRESS");
    std::ifstream in(name ? name : "");
    for (std::string line; std::getline(in, line);)
      if (!line.empty() && line[0] != '#') all.push_back(line);
    return all;
  }();
  return lines;
}

}  // namespace

bool Reporter::suppressed(const Finding& f) const {
  for (const std::string& line : suppressions()) {
    const size_t colon = line.find(':');
    const std::string rule = line.substr(0, colon);
    if (rule != "*" && rule != f.rule && rule != f.check) continue;
    if (colon == std::string::npos) return true;
    const std::string text = line.substr(colon + 1);
    for (const Place& p : f.places)
      if (describe(p.site).find(text) != std::string::npos) return true;
  }
  return false;
}

bool Reporter::count(const Key& key, int block) {
  const auto at = known_.find(key);
  if (at == known_.end()) return false;
  if (at->second == kSuppressed) {
    ++suppressed_;
    return true;
  }
  Entry& entry = findings_[at->second];
  ++entry.count;
  if (block >= 0 && entry.blocks.size() < 64 && std::ranges::find(entry.blocks, block) == entry.blocks.end())
    entry.blocks.push_back(block);
  return true;
}

bool Reporter::repeated(std::string_view group, Site first, Site second, const Core& core) {
  std::lock_guard lock(mutex_);
  return count({group, first, second}, static_cast<int>(core.block_idx));
}

void Reporter::add(Finding finding) {
  std::lock_guard lock(mutex_);
  const auto& places = finding.places;
  const Key key{finding.group ? finding.group : finding.rule, places.empty() ? nullptr : places[0].site,
                places.size() < 2 ? nullptr : places[1].site};
  if (count(key, finding.block)) return;
  if (suppressed(finding)) {
    known_[key] = kSuppressed;
    ++suppressed_;
    return;
  }
  if (!finding.shown) print(finding);
  known_[key] = findings_.size();
  const int block = finding.block;
  findings_.push_back({std::move(finding), 0, {}});
  count(key, block);
  write_json();
}

void Reporter::print(const Finding& f) const {
  std::string text = "toprope check: " + std::string(f.severity == Severity::Error ? "" : "warning: ") +
                     f.rule + ": " + f.message + "\n";
  for (const Place& p : f.places) {
    const SourcePosition where = locate(p.site);
    text += "  " + p.role + ": " + describe(p.site) + "\n";
    if (where) text += quoted(where, p.word);
  }
  if (!f.kernel.empty()) {
    text += "  in kernel " + f.kernel;
    if (f.block >= 0) text += ", block " + std::to_string(f.block);
    text += "\n";
  }
  if (!f.cure.empty()) text += "  cure: " + f.cure + "\n";
  std::fputs(text.c_str(), stderr);
}

void Reporter::finish() {
  std::lock_guard lock(mutex_);
  for (const Entry& e : findings_) {
    if (e.count > 1)
      std::fprintf(stderr, "toprope check: %s at %s: seen %llu times%s\n", e.finding.rule,
                   e.finding.places.empty() ? "?" : describe(e.finding.places[0].site).c_str(),
                   static_cast<unsigned long long>(e.count), blocks_text(e.blocks).c_str());
  }
  if (!json_path().empty()) return write_json();
  std::fprintf(stderr, "toprope check: %zu finding%s%s\n", findings_.size(), findings_.size() == 1 ? "" : "s",
               suppressed_ ? (", " + std::to_string(suppressed_) + " suppressed").c_str() : "");
}

void Reporter::write_json() const {
  const std::string path = json_path();
  if (path.empty()) return;
  nlohmann::json all = nlohmann::json::array();
  for (const Entry& e : findings_) {
    nlohmann::json places = nlohmann::json::array();
    for (const Place& p : e.finding.places) {
      const SourcePosition where = locate(p.site);
      const size_t at = column(source_line(where.file, where.line), p.word);
      places.push_back({{"role", p.role},
                        {"file", where.file},
                        {"line", where.line},
                        {"column", at == std::string::npos ? 0 : at + 1},
                        {"function", where.function}});
    }
    all.push_back({{"check", e.finding.check},
                   {"rule", e.finding.rule},
                   {"severity", name_of(e.finding.severity)},
                   {"message", e.finding.message},
                   {"cure", e.finding.cure},
                   {"kernel", e.finding.kernel},
                   {"blocks", e.blocks},
                   {"count", e.count},
                   {"places", places}});
  }
  std::ofstream(path) << nlohmann::json{{"findings", all}, {"suppressed", suppressed_}}.dump(1) << "\n";
}

void name_block(Finding& finding, const Core& core) {
  if (core.state && core.state->launch) finding.kernel = core.state->launch->kernel;
  finding.block = static_cast<int>(core.block_idx);
}

Reporter& reporter() {
  static Reporter one;
  return one;
}

}  // namespace toprope::check
