#include "base/soc.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "base/config.h"

namespace toprope {
namespace {

struct Row {
  SocInfo info;
  const char* aliases;  ///< comma-separated
};

constexpr Row rows[] = {
#include "soc_table.inc"
};

std::string folded(std::string_view name) {
  std::string s(name);
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return std::tolower(c); });
  return s.rfind("ascend", 0) == 0 ? s.substr(6) : s;
}

bool has_alias(std::string_view aliases, const std::string& wanted) {
  while (!aliases.empty()) {
    const size_t comma = aliases.find(',');
    if (folded(aliases.substr(0, comma)) == wanted) return true;
    aliases.remove_prefix(comma == std::string_view::npos ? aliases.size() : comma + 1);
  }
  return false;
}

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

const SocInfo* find_soc(std::string_view name) {
  const std::string wanted = folded(name);
  for (const Row& row : rows)
    if (folded(row.info.name) == wanted || has_alias(row.aliases, wanted)) return &row.info;
  return nullptr;
}

std::vector<const SocInfo*> all_socs() {
  std::vector<const SocInfo*> all;
  for (const Row& row : rows) all.push_back(&row.info);
  return all;
}

std::string unknown_soc_message(std::string_view name) {
  const std::string wanted = folded(name);
  std::vector<std::pair<size_t, const SocInfo*>> near;
  for (const Row& row : rows) near.emplace_back(edit_distance(wanted, folded(row.info.name)), &row.info);
  std::stable_sort(near.begin(), near.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::string text = "unknown SoC \"" + std::string(name) + "\"; nearest known names:";
  for (size_t i = 0; i < 3; ++i) text += std::string(i ? ", " : " ") + near[i].second->name;
  text += "; all:";
  for (const Row& row : rows) text += std::string(&row == rows ? " " : ", ") + row.info.name;
  return text;
}

const SocInfo& soc() {
  static const SocInfo& chosen = []() -> const SocInfo& {
    const std::string& name = config().soc;
    const SocInfo* info = find_soc(name.empty() ? "Ascend910B3" : name);
    if (!info) throw ConfigError(unknown_soc_message(name));
    return *info;
  }();
  return chosen;
}

int device_count() { return config().devices; }

}  // namespace toprope
