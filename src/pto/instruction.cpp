// The C API's instruction handle: binding operands, and executing when they fit.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "pto/context.h"
#include "pto/dtype.h"
#include "pto/registry.h"
#include "pto/status.h"
#include "pto/tensor.h"

using namespace pto;

struct pto_insn {
  const Definition& definition;
  std::vector<pto_tensor*> bound;
  std::vector<Tensor> tensors;  ///< the bound ones as the instruction sees them
  std::vector<Value> values;
  std::vector<bool> fraction;  ///< attributes that were set to a number that is not whole
  std::vector<bool> set;
  std::vector<int64_t> symbols;
  std::vector<int> copied;  ///< outputs that overlap an input and are computed aside
  bool checked = false;     ///< nothing was bound or set since the operands were found to fit
  Call call{};

  explicit pto_insn(const Definition& d)
      : definition(d),
        bound(d.operands.size()),
        tensors(d.operands.size()),
        values(d.attributes.size()),
        fraction(d.attributes.size()),
        set(d.attributes.size()),
        symbols(d.symbols.size()) {
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = d.attributes[i].default_value;
      set[i] = d.attributes[i].has_default;
      fraction[i] =
          d.attributes[i].kind == PTO_ATTRIBUTE_SCALAR && values[i].f != static_cast<double>(values[i].i);
    }
    call = {tensors.data(), values.data(), symbols.data()};
  }
  ~pto_insn() {
    for (pto_tensor* t : bound) release(t);
  }
  pto_insn(const pto_insn&) = delete;
  pto_insn& operator=(const pto_insn&) = delete;

  std::string operand_name(size_t i) const {
    return fmt::format("Insn {}: operand {} ({})", definition.name, i, definition.operands[i].name);
  }
  void check();
  void run_aside();
};

namespace {

bool writes(const Definition::Operand& o) { return o.direction != PTO_IN; }

bool overlap(const pto_tensor& a, const pto_tensor& b) {
  const auto* x = static_cast<const char*>(a.data);
  const auto* y = static_cast<const char*>(b.data);
  return a.bytes && b.bytes && x < y + b.bytes && y < x + a.bytes;
}

void check_types(const pto_insn& h) {
  const Definition& d = h.definition;
  int first[32];
  std::fill_n(first, std::min(d.dtype_groups, 32), -1);
  for (size_t i = 0; i < d.operands.size(); ++i) {
    const int group = d.operands[i].dtype_group;
    if (group < 0 || group >= 32) continue;
    if (first[group] < 0) {
      first[group] = static_cast<int>(i);
    } else if (h.tensors[first[group]].dtype != h.tensors[i].dtype) {
      throw Error(PTO_TYPE_MISMATCH,
                  fmt::format("{} is {}, but operand {} ({}) is {}: they have the same element type",
                              h.operand_name(i), pto_dtype_name(h.tensors[i].dtype), first[group],
                              d.operands[first[group]].name, pto_dtype_name(h.tensors[first[group]].dtype)));
    }
  }
  for (size_t k = 0; k < d.attributes.size(); ++k) {
    const auto& a = d.attributes[k];
    if (!h.set[k])
      throw Error(PTO_UNSET,
                  fmt::format("Insn {}: attribute {} is not set and has no default", d.name, a.name));
    if (a.kind != PTO_ATTRIBUTE_SCALAR || a.dtype_group < 0 || first[a.dtype_group] < 0) continue;
    const pto_dtype type = h.tensors[first[a.dtype_group]].dtype;
    const bool integer = type < PTO_FLOAT16;
    const auto refuse = [&](const char* why) {
      throw Error(PTO_INVALID_ARGUMENT, fmt::format("Insn {}: attribute {} = {} {} {}", d.name, a.name,
                                                    h.values[k].f, why, pto_dtype_name(type)));
    };
    if (integer && h.fraction[k]) refuse("is not a whole number, as its operands' type needs:");
    if (!integer || type >= PTO_INT64) continue;
    const int bits = static_cast<int>(size_of(type)) * 8;
    const bool is_signed = type == PTO_INT8 || type == PTO_INT16 || type == PTO_INT32;
    const int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
    const int64_t high = type == PTO_BOOL ? 1
                         : is_signed      ? (int64_t{1} << (bits - 1)) - 1
                                          : (int64_t{1} << bits) - 1;
    if (h.values[k].i < low || h.values[k].i > high) refuse("is outside the range of");
  }
}

void check_shapes(pto_insn& h) {
  const Definition& d = h.definition;
  const size_t n = d.operands.size();
  Given few[8];
  std::vector<Given> many(n > 8 ? n : 0);
  Given* given = n > 8 ? many.data() : few;
  for (size_t i = 0; i < n; ++i) given[i] = {&d.operands[i].shape, h.tensors[i].rank, h.tensors[i].shape};
  std::string why;
  const int wrong = match_shapes(given, static_cast<int>(n), d.symbols, h.symbols.data(), why);
  if (wrong >= 0)
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("{} has shape {}; {}", h.operand_name(static_cast<size_t>(wrong)),
                            text_of(h.tensors[wrong].rank, h.tensors[wrong].shape), why));
}

void check_memory(pto_insn& h) {
  const auto& operands = h.definition.operands;
  int device = PTO_HOST, where = -1;
  h.copied.clear();
  for (size_t i = 0; i < operands.size(); ++i) {
    const pto_tensor& t = *h.bound[i];
    if (t.device != PTO_HOST) {
      if (device != PTO_HOST && t.device != device)
        throw Error(PTO_WRONG_DEVICE,
                    fmt::format("{} is on device {}, operand {} ({}) on device {}: copy one of them first",
                                h.operand_name(i), t.device, where, operands[where].name, device));
      device = t.device;
      where = static_cast<int>(i);
    }
    if (!writes(operands[i])) continue;
    bool aside = false;
    for (size_t k = 0; k < operands.size(); ++k) {
      if (k == i || !overlap(t, *h.bound[k])) continue;
      if (writes(operands[k]))
        throw Error(PTO_OVERLAP, fmt::format("{} and operand {} ({}) are outputs in the same memory",
                                             h.operand_name(i), k, operands[k].name));
      const pto_tensor& u = *h.bound[k];
      aside |= !h.definition.elementwise || u.data != t.data || u.bytes != t.bytes;
    }
    if (aside) h.copied.push_back(static_cast<int>(i));
  }
}

/// An output's element type where nothing else decides: the first input's, or the widest of its kind.
pto_dtype usual_type(pto_dtype_set allowed, pto_dtype input) {
  if (allowed & one(input)) return input;
  const auto is_float = [](pto_dtype t) { return t >= PTO_FLOAT16; };
  int best = -1;
  for (int t = 0; t < PTO_DTYPE_COUNT; ++t) {
    const auto type = static_cast<pto_dtype>(t);
    if (!(allowed & one(type))) continue;
    if (best < 0) best = t;
    if (is_float(type) == is_float(input) && size_of(type) >= size_of(static_cast<pto_dtype>(best))) best = t;
  }
  return static_cast<pto_dtype>(best);
}

void infer(const pto_insn& h, int index, pto_dtype* dtype, int* rank, int64_t* shape) {
  const auto& operands = h.definition.operands;
  std::vector<Given> given(operands.size());
  std::vector<int64_t> values(h.definition.symbols.size());
  int partner = -1, first = -1;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool known = h.bound[i] && static_cast<int>(i) != index;
    given[i] = {&operands[i].shape, known ? h.tensors[i].rank : 0, known ? h.tensors[i].shape : nullptr};
    if (!known) continue;
    if (operands[i].dtype_group >= 0 && operands[i].dtype_group == operands[index].dtype_group)
      partner = static_cast<int>(i);
    if (first < 0) first = static_cast<int>(i);
  }
  std::string why;
  const int count = static_cast<int>(given.size());
  const int wrong = match_shapes(given.data(), count, h.definition.symbols, values.data(), why);
  if (wrong >= 0)
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("{} has shape {}; {}", h.operand_name(static_cast<size_t>(wrong)),
                            text_of(h.tensors[wrong].rank, h.tensors[wrong].shape), why));
  if (!infer_shape(given.data(), count, values.data(), index, rank, shape))
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("{}: its shape {} does not follow from the other operands; give a tensor for it",
                            h.operand_name(static_cast<size_t>(index)), operands[index].shape.text));
  const pto_dtype_set allowed = operands[index].dtypes;
  *dtype = partner >= 0 ? h.tensors[partner].dtype
           : (allowed & (allowed - 1)) == 0
               ? static_cast<pto_dtype>(__builtin_ctz(allowed))
               : usual_type(allowed, first >= 0 ? h.tensors[first].dtype : PTO_FLOAT32);
}

int attribute_index(const pto_insn& h, const char* name) {
  if (!name) throw Error(PTO_INVALID_ARGUMENT, "attribute is null");
  const auto& all = h.definition.attributes;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int>(i);
    names.push_back(all[i].name);
  }
  throw Error(PTO_NOT_FOUND, fmt::format("Insn {} has no attribute {}{}", h.definition.name, name,
                                         names.empty() ? "; it has none"
                                                       : fmt::format("; it has {}", fmt::join(names, ", "))));
}

void set_value(pto_insn& h, int index, Value value, bool whole) {
  h.values[index] = value;
  h.fraction[index] = !whole;
  h.set[index] = true;
  h.checked = false;
}

void require(const pto_insn* insn) {
  if (!insn) throw Error(PTO_INVALID_ARGUMENT, "insn is null");
}

void require_index(const pto_insn* insn, int index, size_t count, const char* what) {
  require(insn);
  if (index < 0 || static_cast<size_t>(index) >= count)
    throw Error(PTO_NOT_FOUND,
                fmt::format("Insn {} has {} {}{}, numbered from 0; there is no {} {}", insn->definition.name,
                            count, what, count == 1 ? "" : "s", what, index));
}

}  // namespace

void pto_insn::check() {
  for (size_t i = 0; i < bound.size(); ++i)
    if (!bound[i]) throw Error(PTO_UNSET, operand_name(i) + " is not set");
  check_types(*this);
  check_shapes(*this);
  check_memory(*this);
  checked = true;
}

/// Outputs that overlap an input are computed in memory of their own and copied when everything has been
/// read.
void pto_insn::run_aside() {
  struct Aside {
    Tensor* tensor;
    void* home;
    size_t bytes;
    std::unique_ptr<void, void (*)(void*)> memory;
  };
  std::vector<Aside> all;
  struct Restore {
    std::vector<Aside>& all;
    ~Restore() {
      for (Aside& a : all) a.tensor->data = a.home;
    }
  } restore{all};
  for (const int i : copied) {
    const size_t bytes = bound[i]->bytes;
    void* memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) throw std::bad_alloc();
    all.push_back({&tensors[i], tensors[i].data, bytes, {memory, std::free}});
    if (definition.operands[i].direction == PTO_INOUT) std::memcpy(memory, tensors[i].data, bytes);
    tensors[i].data = memory;
  }
  definition.run(call);
  for (Aside& a : all) std::memcpy(a.home, a.memory.get(), a.bytes);
}

pto_status pto_insn_load(const char* name, pto_insn** insn) {
  return guarded([&] {
    if (!insn) throw Error(PTO_INVALID_ARGUMENT, "insn is null");
    *insn = nullptr;
    if (!name) throw Error(PTO_INVALID_ARGUMENT, "name is null");
    if (!initialized())
      throw Error(PTO_NOT_INITIALIZED, fmt::format("Insn {} not found: call pto_init() first", name));
    *insn = new pto_insn(find_instruction(name));
  });
}

void pto_insn_free(pto_insn* insn) { delete insn; }

const char* pto_insn_name(const pto_insn* insn) { return insn->definition.name.c_str(); }
uint32_t pto_insn_id(const pto_insn* insn) { return insn->definition.id; }
const char* pto_insn_summary(const pto_insn* insn) { return insn->definition.summary.c_str(); }
int pto_insn_operand_count(const pto_insn* insn) {
  return static_cast<int>(insn->definition.operands.size());
}
int pto_insn_attribute_count(const pto_insn* insn) {
  return static_cast<int>(insn->definition.attributes.size());
}

pto_status pto_insn_operand(const pto_insn* insn, int index, pto_operand_info* info) {
  return guarded([&] {
    if (!info) throw Error(PTO_INVALID_ARGUMENT, "info is null");
    require_index(insn, index, insn ? insn->definition.operands.size() : 0, "operand");
    const auto& o = insn->definition.operands[index];
    *info = {o.name.c_str(), o.direction, o.dtypes, o.dtype_symbol.c_str(), o.rank(), o.shape.text.c_str()};
  });
}

pto_status pto_insn_attribute(const pto_insn* insn, int index, pto_attribute_info* info) {
  return guarded([&] {
    if (!info) throw Error(PTO_INVALID_ARGUMENT, "info is null");
    require_index(insn, index, insn ? insn->definition.attributes.size() : 0, "attribute");
    const auto& a = insn->definition.attributes[index];
    *info = {a.name.c_str(), a.kind, a.choices.c_str(), a.has_default, a.default_value.f};
  });
}

pto_status pto_insn_bind(pto_insn* insn, int index, pto_tensor* tensor) {
  return guarded([&] {
    require_index(insn, index, insn ? insn->definition.operands.size() : 0, "operand");
    if (!tensor) throw Error(PTO_INVALID_ARGUMENT, insn->operand_name(index) + ": the tensor is null");
    const auto& o = insn->definition.operands[index];
    if (!(o.dtypes & one(tensor->dtype)))
      throw Error(PTO_TYPE_MISMATCH, fmt::format("{}: expected {}, got {}", insn->operand_name(index),
                                                 names_of(o.dtypes), pto_dtype_name(tensor->dtype)));
    if (o.rank() >= 0 && o.rank() != tensor->rank)
      throw Error(
          PTO_SHAPE_MISMATCH,
          fmt::format("{}: expected {} dimension{}, {}, got shape {}", insn->operand_name(index), o.rank(),
                      o.rank() == 1 ? "" : "s", o.shape.text, text_of(tensor->rank, tensor->shape)));
    if (writes(o) && tensor->read_only)
      throw Error(PTO_READ_ONLY, insn->operand_name(index) + " is an output, and the tensor is read-only");
    if (insn->bound[index] == tensor) return;
    release(insn->bound[index]);
    insn->bound[index] = retain(tensor);
    insn->tensors[index] = {tensor->data, tensor->dtype, tensor->rank, tensor->shape, tensor->elements};
    insn->checked = false;
  });
}

pto_status pto_insn_set_float(pto_insn* insn, const char* attribute, double value) {
  return guarded([&] {
    require(insn);
    const int i = attribute_index(*insn, attribute);
    const auto kind = insn->definition.attributes[i].kind;
    const bool whole = std::isfinite(value) && value == std::trunc(value) && std::abs(value) < 0x1p63;
    if (!whole && kind != PTO_ATTRIBUTE_FLOAT && kind != PTO_ATTRIBUTE_SCALAR)
      throw Error(PTO_INVALID_ARGUMENT, fmt::format("Insn {}: attribute {} takes a whole number, got {}",
                                                    insn->definition.name, attribute, value));
    set_value(*insn, i, {value, whole ? static_cast<int64_t>(value) : 0}, whole);
  });
}

pto_status pto_insn_set_int(pto_insn* insn, const char* attribute, int64_t value) {
  return guarded([&] {
    require(insn);
    const int i = attribute_index(*insn, attribute);
    const auto& a = insn->definition.attributes[i];
    const int64_t most = a.kind == PTO_ATTRIBUTE_BOOL     ? 1
                         : a.kind == PTO_ATTRIBUTE_CHOICE ? static_cast<int64_t>(a.words.size()) - 1
                                                          : std::numeric_limits<int64_t>::max();
    const bool any = most == std::numeric_limits<int64_t>::max();
    if (value > most || (!any && value < 0))
      throw Error(
          PTO_INVALID_ARGUMENT,
          fmt::format("Insn {}: attribute {} takes 0 to {}{}{}, got {}", insn->definition.name, attribute,
                      most, a.words.empty() ? "" : " or one of ", fmt::join(a.words, ", "), value));
    set_value(*insn, i, {static_cast<double>(value), value}, true);
  });
}

pto_status pto_insn_set_choice(pto_insn* insn, const char* attribute, const char* word) {
  return guarded([&] {
    require(insn);
    const int i = attribute_index(*insn, attribute);
    const auto& a = insn->definition.attributes[i];
    for (size_t k = 0; word && k < a.words.size(); ++k)
      if (a.words[k] == word)
        return set_value(*insn, i, {static_cast<double>(k), static_cast<int64_t>(k)}, true);
    throw Error(PTO_INVALID_ARGUMENT,
                a.words.empty()
                    ? fmt::format("Insn {}: attribute {} takes a number, got \"{}\"", insn->definition.name,
                                  attribute, word ? word : "")
                    : fmt::format("Insn {}: attribute {} takes one of {}, got \"{}\"", insn->definition.name,
                                  attribute, fmt::join(a.words, ", "), word ? word : ""));
  });
}

pto_status pto_insn_infer(const pto_insn* insn, int index, pto_dtype* dtype, int* rank, int64_t* shape) {
  return guarded([&] {
    require_index(insn, index, insn ? insn->definition.operands.size() : 0, "operand");
    if (!dtype || !rank || !shape) throw Error(PTO_INVALID_ARGUMENT, "dtype, rank or shape is null");
    infer(*insn, index, dtype, rank, shape);
  });
}

pto_status pto_insn_execute(pto_insn* insn) {
  return guarded([&] {
    require(insn);
    if (!initialized())
      throw Error(PTO_NOT_INITIALIZED,
                  fmt::format("Insn {} cannot execute: call pto_init() first", insn->definition.name));
    if (!insn->checked) insn->check();
    if (insn->copied.empty())
      insn->definition.run(insn->call);
    else
      insn->run_aside();
  });
}
