#include "pto/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <stdexcept>

#include "pto/builtin.h"
#include "pto/dtype.h"
#include "pto/status.h"

namespace pto {
namespace {

class Registry {
 public:
  Registry() {
    for (const Builtin& b : builtin_instructions()) {
      auto definition = compile(b.insn, "built in");
      definition->id = b.id;
      insert(std::move(definition));
    }
  }

  const Definition* find(std::string_view name) {
    std::shared_lock lock(mutex_);
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }

  std::vector<std::string_view> names() {
    std::shared_lock lock(mutex_);
    std::vector<std::string_view> all;
    for (const auto& [name, definition] : by_name_) all.push_back(name);
    return all;
  }

  size_t count() {
    std::shared_lock lock(mutex_);
    return all_.size();
  }

  const Definition* at(size_t index) {
    std::shared_lock lock(mutex_);
    return index < all_.size() ? all_[index].get() : nullptr;
  }

  void add(std::vector<std::unique_ptr<Definition>> definitions) {
    std::unique_lock lock(mutex_);
    for (size_t i = 0; i < definitions.size(); ++i) {
      const Definition& d = *definitions[i];
      const auto taken = by_name_.find(d.name);
      if (taken != by_name_.end())
        throw Error(PTO_LIBRARY_ERROR,
                    fmt::format("{} defines the instruction {}, which is already there ({})", d.origin,
                                d.name, taken->second->origin));
      for (size_t k = 0; k < i; ++k)
        if (definitions[k]->name == d.name)
          throw Error(PTO_LIBRARY_ERROR,
                      fmt::format("{} defines the instruction {} twice", d.origin, d.name));
    }
    for (auto& d : definitions) {
      d->id = next_id_++;
      insert(std::move(d));
    }
  }

 private:
  void insert(std::unique_ptr<Definition> d) {
    by_name_.emplace(d->name, d.get());
    all_.push_back(std::move(d));
  }

  std::shared_mutex mutex_;
  std::deque<std::unique_ptr<Definition>> all_;
  std::map<std::string_view, const Definition*> by_name_;  // keys lie in the definitions
  uint32_t next_id_ = kFirstCustomId;
};

Registry& registry() {
  static Registry* const all = new Registry;  // never destroyed: handles may outlive static destructors
  return *all;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (std::tolower(a[i - 1]) != std::tolower(b[j - 1]));
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::string text(const char* s, const char* what) {
  if (!s) throw std::invalid_argument(std::string(what) + " is null");
  return s;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// The group of a type symbol; `groups` are the symbols so far.
int group_of(const std::string& symbol, std::vector<std::string>& groups) {
  if (symbol.empty()) return -1;
  const auto place = std::find(groups.begin(), groups.end(), symbol) - groups.begin();
  if (place == static_cast<ptrdiff_t>(groups.size())) groups.push_back(symbol);
  return static_cast<int>(place);
}

Definition::Attribute compile(const Attribute& a, std::vector<std::string>& groups) {
  Definition::Attribute r;
  r.name = text(a.name, "an attribute's name");
  r.choices = a.choices ? a.choices : "";
  r.dtype_symbol = a.dtype_symbol ? a.dtype_symbol : "";
  r.kind = a.kind;
  r.has_default = a.has_default;
  const double d = a.default_value;
  r.default_value = {d, d > -9.2e18 && d < 9.2e18 ? static_cast<int64_t>(d) : 0};
  r.words = words_of(r.choices);
  if (r.kind == PTO_ATTRIBUTE_CHOICE && r.words.empty())
    throw std::invalid_argument("attribute " + r.name + " has no choices");
  r.dtype_group = r.kind == PTO_ATTRIBUTE_SCALAR ? group_of(r.dtype_symbol, groups) : -1;
  return r;
}

}  // namespace

std::unique_ptr<Definition> compile(const Insn& insn, const std::string& origin) {
  auto d = std::make_unique<Definition>();
  d->id = 0;
  d->name = text(insn.name, "an instruction's name");
  try {
    d->summary = insn.summary ? insn.summary : "";
    d->origin = origin;
    d->elementwise = insn.flags & kElementwise;
    d->run = insn.run;
    if (d->name.empty()) throw std::invalid_argument("its name is empty");
    if (!insn.run) throw std::invalid_argument("its function is null");
    if (insn.operand_count < 1 || !insn.operands) throw std::invalid_argument("it has no operands");
    d->symbols = words_of(insn.symbols ? insn.symbols : "");
    std::vector<std::string> groups;
    bool output = false;
    for (int i = 0; i < insn.operand_count; ++i) {
      const Operand& o = insn.operands[i];
      Definition::Operand r;
      r.name = text(o.name, "an operand's name");
      r.direction = o.direction;
      r.dtypes = o.dtypes;
      r.dtype_symbol = o.dtype_symbol ? o.dtype_symbol : "";
      r.dtype_group = group_of(r.dtype_symbol, groups);
      const size_t declared = d->symbols.size();
      r.shape = compile_shape(text(o.shape, "an operand's shape"), d->symbols);
      if (d->symbols.size() != declared)
        throw std::invalid_argument(fmt::format("operand {} uses the shape symbol {}, which is not declared",
                                                r.name, d->symbols.back()));
      if (static_cast<int>(r.shape.sizes.size()) > PTO_MAX_RANK)
        throw std::invalid_argument(
            fmt::format("operand {} has more than {} dimensions", r.name, PTO_MAX_RANK));
      if (!r.dtypes || r.dtypes >> PTO_DTYPE_COUNT)
        throw std::invalid_argument("operand " + r.name + " has no valid set of element types");
      output |= r.direction != PTO_IN;
      d->operands.push_back(std::move(r));
    }
    if (!output) throw std::invalid_argument("it has no output");
    for (int i = 0; i < insn.attribute_count; ++i)
      d->attributes.push_back(compile(insn.attributes[i], groups));
    d->dtype_groups = static_cast<int>(groups.size());
  } catch (const std::invalid_argument& e) {
    throw std::invalid_argument(fmt::format("instruction {}: {}", d->name, e.what()));
  }
  return d;
}

std::string nearest_names(std::string_view name, const std::vector<std::string_view>& known) {
  std::vector<std::pair<size_t, std::string_view>> near;
  const size_t most = std::max<size_t>(2, name.size() / 2);
  for (const std::string_view k : known)
    if (const size_t d = edit_distance(name, k); d <= most) near.emplace_back(d, k);
  std::sort(near.begin(), near.end());
  if (near.size() > 3) near.resize(3);
  std::string result;
  for (size_t i = 0; i < near.size(); ++i) {
    result += i == 0 ? "; did you mean " : i + 1 == near.size() ? " or " : ", ";
    result += near[i].second;
  }
  return result.empty() ? result : result + "?";
}

const Definition& find_instruction(std::string_view name) {
  if (const Definition* found = registry().find(name)) return *found;
  throw Error(PTO_NOT_FOUND,
              fmt::format("Insn {} not found{}", name, nearest_names(name, registry().names())));
}

size_t instruction_count() { return registry().count(); }
const Definition* instruction_at(size_t index) { return registry().at(index); }
void add_custom(std::vector<std::unique_ptr<Definition>> definitions) {
  registry().add(std::move(definitions));
}

}  // namespace pto

size_t pto_insn_count(void) { return pto::instruction_count(); }

const char* pto_insn_name_at(size_t index) {
  const pto::Definition* d = pto::instruction_at(index);
  return d ? d->name.c_str() : nullptr;
}
