#include "check/report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "machine/core_state.h"
#include "machine/symbolize.h"

namespace toprope::check {
namespace {

/// The text of a source line, empty when the file cannot be read.
std::string source_line(const std::string& file, uint32_t line) {
  std::ifstream in(file);
  std::string text;
  for (uint32_t i = 0; i < line; ++i)
    if (!std::getline(in, text)) return {};
  return text;
}

/// "  57 |   AscendC::Add(z, x, y, n);" and a caret under `word`.
std::string quoted(const SourcePosition& p, const std::string& word) {
  const std::string text = source_line(p.file, p.line);
  if (text.empty()) return {};
  char number[16];
  std::snprintf(number, sizeof number, "%6u | ", p.line);
  std::string out = number + text + "\n";
  const size_t at = word.empty() ? std::string::npos : text.find(word);
  const size_t first = at != std::string::npos ? at : text.find_first_not_of(" \t");
  if (first == std::string::npos) return out;
  out += "       | ";
  for (size_t i = 0; i < first; ++i) out += text[i] == '\t' ? '\t' : ' ';
  return out + "^\n";
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

void Reporter::add(Finding finding) {
  std::lock_guard lock(mutex_);
  const auto& places = finding.places;
  const Key key{finding.check, places.empty() ? nullptr : places[0].site,
                places.size() < 2 ? nullptr : places[1].site};
  const auto [at, fresh] = known_.try_emplace(key, findings_.size());
  if (fresh) {
    if (suppressed(finding)) {
      at->second = ~size_t{0};
    } else {
      print(finding);
      findings_.push_back({std::move(finding), 0, {}});
    }
  }
  if (at->second == ~size_t{0}) {
    ++suppressed_;
    return;
  }
  Entry& entry = findings_[at->second];
  ++entry.count;
  const int block = fresh ? entry.finding.block : finding.block;
  if (block >= 0 && entry.blocks.size() < 64 && std::ranges::find(entry.blocks, block) == entry.blocks.end())
    entry.blocks.push_back(block);
}

void Reporter::print(const Finding& f) const {
  std::string text = std::string("toprope check: ") + (f.severity == Severity::Warning ? "warning: " : "") +
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
      std::fprintf(stderr, "toprope check: %s at %s: seen %llu times, in %zu block%s\n", e.finding.rule,
                   e.finding.places.empty() ? "?" : describe(e.finding.places[0].site).c_str(),
                   static_cast<unsigned long long>(e.count), e.blocks.size(),
                   e.blocks.size() == 1 ? "" : "s");
  }
  std::fprintf(stderr, "toprope check: %zu finding%s%s\n", findings_.size(), findings_.size() == 1 ? "" : "s",
               suppressed_ ? (", " + std::to_string(suppressed_) + " suppressed").c_str() : "");
  const char* name = std::getenv("TOPROPE_CHECK_JSON");
  if (!name) return;
  nlohmann::json all = nlohmann::json::array();
  for (const Entry& e : findings_) {
    nlohmann::json places = nlohmann::json::array();
    for (const Place& p : e.finding.places) {
      const SourcePosition where = locate(p.site);
      places.push_back(
          {{"role", p.role}, {"file", where.file}, {"line", where.line}, {"function", where.function}});
    }
    all.push_back({{"check", e.finding.check},
                   {"rule", e.finding.rule},
                   {"severity", e.finding.severity == Severity::Warning ? "warning" : "error"},
                   {"message", e.finding.message},
                   {"cure", e.finding.cure},
                   {"kernel", e.finding.kernel},
                   {"blocks", e.blocks},
                   {"count", e.count},
                   {"places", places}});
  }
  std::ofstream(name) << nlohmann::json{{"findings", all}, {"suppressed", suppressed_}}.dump(1) << "\n";
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
