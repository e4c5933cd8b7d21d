#include "pto/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>

#include "pto/tensor.h"

namespace pto {
namespace {

constexpr int64_t kUnknown = -1;

class Parser {
 public:
  Parser(std::string_view text, std::vector<std::string>& symbols) : text_(text), symbols_(symbols) {}

  ShapeSpec shape() {
    ShapeSpec spec;
    spec.text = std::string(text_);
    expect('[');
    if (take(']')) return end(std::move(spec));
    if (take('*')) {
      spec.any = true;
      expect(']');
      return end(std::move(spec));
    }
    if (text_.substr(at_, 3) == "...") {
      at_ += 3;
      spec.leading = true;
      if (!take(',')) {
        expect(']');
        return end(std::move(spec));
      }
    }
    do {
      SizeExpression size;
      sum(size);
      spec.sizes.push_back(std::move(size));
    } while (take(','));
    expect(']');
    return end(std::move(spec));
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip();
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("'") + c + "'");
  }
  [[noreturn]] void fail(const std::string& wanted) {
    throw std::invalid_argument(
        fmt::format("shape \"{}\": expected {} at position {}", text_, wanted, at_ + 1));
  }
  ShapeSpec end(ShapeSpec spec) {
    if (at_ != text_.size()) fail("the end");
    return spec;
  }
  int add(SizeExpression& e, SizeExpression::Node node) {
    e.nodes.push_back(node);
    return static_cast<int>(e.nodes.size()) - 1;
  }

  int sum(SizeExpression& e) {
    int left = product(e);
    for (;;) {
      const bool plus = take('+');
      if (!plus && !take('-')) return left;
      const int right = product(e);
      left = add(e, {plus ? SizeExpression::Add : SizeExpression::Subtract, 0, left, right});
    }
  }
  int product(SizeExpression& e) {
    int left = atom(e);
    for (;;) {
      const bool times = take('*');
      if (!times && !take('/')) return left;
      const int right = atom(e);
      left = add(e, {times ? SizeExpression::Multiply : SizeExpression::Divide, 0, left, right});
    }
  }
  int atom(SizeExpression& e) {
    if (++depth_ > 64) fail("fewer parentheses");
    struct Leave {
      int& depth;
      ~Leave() { --depth; }
    } leave{depth_};
    skip();
    if (take('(')) {
      const int inner = sum(e);
      expect(')');
      return inner;
    }
    const size_t start = at_;
    const auto letter = [&] {
      return at_ < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_');
    };
    while (letter()) ++at_;
    const std::string word(text_.substr(start, at_ - start));
    skip();
    if (word.empty()) fail("a symbol, a number or '('");
    if (std::isdigit(static_cast<unsigned char>(word[0]))) {
      if (word.size() > 15 || word.find_first_not_of("0123456789") != word.npos) fail("a number below 10^15");
      return add(e, {SizeExpression::Constant, std::stoll(word), 0, 0});
    }
    const auto found = std::find(symbols_.begin(), symbols_.end(), word);
    const auto place = found - symbols_.begin();
    if (found == symbols_.end()) symbols_.push_back(word);
    return add(e, {SizeExpression::Symbol, place, 0, 0});
  }

  std::string_view text_;
  std::vector<std::string>& symbols_;
  size_t at_ = 0;
  int depth_ = 0;
};

/// slope * (the one unknown symbol) + offset.
struct Linear {
  int64_t slope, offset;
};

/// The expression in its only unknown, which is put into `unknown` (-1: none). Nothing when it has two, is
/// not linear, divides unevenly, or overflows.
std::optional<Linear> linear(const SizeExpression& e, int node, const int64_t* values, int64_t& unknown) {
  const auto& n = e.nodes[node];
  if (n.kind == SizeExpression::Constant) return Linear{0, n.value};
  if (n.kind == SizeExpression::Symbol) {
    if (values[n.value] != kUnknown) return Linear{0, values[n.value]};
    if (unknown != -1 && unknown != n.value) return std::nullopt;
    unknown = n.value;
    return Linear{1, 0};
  }
  const auto a = linear(e, n.left, values, unknown), b = linear(e, n.right, values, unknown);
  if (!a || !b) return std::nullopt;
  Linear r{};
  bool bad = false;
  switch (n.kind) {
    case SizeExpression::Add:
      bad = __builtin_add_overflow(a->slope, b->slope, &r.slope) |
            __builtin_add_overflow(a->offset, b->offset, &r.offset);
      break;
    case SizeExpression::Subtract:
      bad = __builtin_sub_overflow(a->slope, b->slope, &r.slope) |
            __builtin_sub_overflow(a->offset, b->offset, &r.offset);
      break;
    case SizeExpression::Multiply: {
      if (a->slope && b->slope) return std::nullopt;
      const Linear& f = a->slope ? *b : *a;
      const Linear& l = a->slope ? *a : *b;
      bad = __builtin_mul_overflow(l.slope, f.offset, &r.slope) |
            __builtin_mul_overflow(l.offset, f.offset, &r.offset);
      break;
    }
    default:
      if (b->slope || b->offset == 0 || a->slope % b->offset || a->offset % b->offset) return std::nullopt;
      r = {a->slope / b->offset, a->offset / b->offset};
  }
  if (bad) return std::nullopt;
  return r;
}

class Matcher {
 public:
  Matcher(const Given* given, int count, const std::vector<std::string>& symbols, int64_t* values,
          std::string& why)
      : given_(given),
        count_(count),
        symbols_(symbols),
        values_(values),
        why_(why),
        origin_(symbols.size(), -1) {}

  int run() {
    std::fill_n(values_, symbols_.size(), kUnknown);
    for (int i = 0; i < count_; ++i)
      if (!ranks(i)) return i;
    for (int i = 0; i < count_; ++i)
      if (!simple_sizes(i)) return i;
    for (bool progress = true; progress && !pending_.empty();) {
      progress = false;
      for (size_t k = 0; k < pending_.size();) {
        const auto [operand, size] = pending_[k];
        switch (solve(operand, size)) {
          case Wrong:
            return operand;
          case Later:
            ++k;
            break;
          case Done:
            pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(k));
            progress = true;
        }
      }
    }
    if (pending_.empty()) return -1;
    const int operand = pending_[0].first;
    why_ = fmt::format("{} cannot be solved for its symbols", given_[operand].spec->text);
    return operand;
  }

 private:
  enum Answer { Done, Later, Wrong };

  bool ranks(int i) {
    const Given& g = given_[i];
    if (g.spec->any || !g.shape) return true;
    const int fixed = static_cast<int>(g.spec->sizes.size());
    if (g.spec->leading ? g.rank < fixed : g.rank != fixed) return wrong(i);
    if (!g.spec->leading) return true;
    const int rank = g.rank - fixed;
    if (lead_operand_ < 0) {
      lead_operand_ = i;
      lead_rank_ = rank;
      lead_ = g.shape;
      return true;
    }
    return (rank == lead_rank_ && std::equal(lead_, lead_ + rank, g.shape)) || wrong(i);
  }

  bool simple_sizes(int i) {
    const Given& g = given_[i];
    if (!g.shape) return true;
    const int fixed = static_cast<int>(g.spec->sizes.size());
    for (int k = 0; k < fixed; ++k) {
      const auto& whole = g.spec->sizes[k].whole();
      const int64_t size = g.shape[g.rank - fixed + k];
      if (whole.kind == SizeExpression::Constant) {
        if (whole.value != size) return wrong(i);
      } else if (whole.kind == SizeExpression::Symbol) {
        if (!bind(whole.value, size, i)) return wrong(i);
      } else {
        pending_.emplace_back(i, k);
      }
    }
    return true;
  }

  bool bind(int64_t symbol, int64_t size, int operand) {
    if (values_[symbol] == kUnknown) {
      values_[symbol] = size;
      origin_[symbol] = operand;
    }
    return values_[symbol] == size;
  }

  Answer solve(int operand, int k) {
    const Given& g = given_[operand];
    const SizeExpression& e = g.spec->sizes[k];
    const int64_t size = g.shape[g.rank - static_cast<int>(g.spec->sizes.size()) + k];
    int64_t unknown = -1;
    const auto form = linear(e, static_cast<int>(e.nodes.size()) - 1, values_, unknown);
    if (!form) return unknown == -1 ? (wrong(operand), Wrong) : Later;
    if (unknown == -1) return form->offset == size ? Done : (wrong(operand), Wrong);
    if (form->slope == 0) return Later;
    const int64_t rest = size - form->offset;
    if (rest % form->slope || rest / form->slope < 0) return wrong(operand), Wrong;
    bind(unknown, rest / form->slope, operand);
    return Done;
  }

  /// Says what was expected of operand i; false.
  bool wrong(int i) {
    const ShapeSpec& spec = *given_[i].spec;
    why_ = "expected " + spec.text;
    if (spec.leading && lead_operand_ >= 0 && lead_operand_ != i)
      why_ += fmt::format(" with ... = {} as in operand {}", text_of(lead_rank_, lead_), lead_operand_);
    std::vector<bool> named(symbols_.size());
    for (const SizeExpression& e : spec.sizes)
      for (const auto& n : e.nodes) {
        if (n.kind != SizeExpression::Symbol || named[n.value] || origin_[n.value] < 0 ||
            origin_[n.value] == i)
          continue;
        named[n.value] = true;
        why_ += fmt::format("{} {} = {} from operand {}", why_.find(" with ") == why_.npos ? " with" : ",",
                            symbols_[n.value], values_[n.value], origin_[n.value]);
      }
    return false;
  }

  const Given* given_;
  int count_;
  const std::vector<std::string>& symbols_;
  int64_t* values_;
  std::string& why_;
  std::vector<int> origin_;  ///< the operand that gave each symbol its value
  std::vector<std::pair<int, int>> pending_;
  const int64_t* lead_ = nullptr;
  int lead_rank_ = 0, lead_operand_ = -1;
};

}  // namespace

ShapeSpec compile_shape(std::string_view text, std::vector<std::string>& symbols) {
  return Parser(text, symbols).shape();
}

int match_shapes(const Given* given, int count, const std::vector<std::string>& symbols, int64_t* values,
                 std::string& why) {
  return Matcher(given, count, symbols, values, why).run();
}

bool infer_shape(const Given* given, int count, const int64_t* values, int index, int* rank, int64_t* shape) {
  const ShapeSpec& spec = *given[index].spec;
  if (spec.any) return false;
  *rank = 0;
  if (spec.leading) {
    int from = 0;
    while (from < count && (!given[from].shape || !given[from].spec->leading)) ++from;
    if (from == count) return false;
    const int lead = given[from].rank - static_cast<int>(given[from].spec->sizes.size());
    std::copy_n(given[from].shape, lead, shape);
    *rank = lead;
  }
  for (const SizeExpression& e : spec.sizes) {
    int64_t unknown = -1;
    const auto form = linear(e, static_cast<int>(e.nodes.size()) - 1, values, unknown);
    if (!form || unknown != -1 || form->offset < 0) return false;
    shape[(*rank)++] = form->offset;
  }
  return true;
}

}  // namespace pto
