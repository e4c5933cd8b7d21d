// From the arguments of an aclnn call to the operands and attributes that the definition declares.
#include <cstring>

#include "nnopbase/call.h"
#include "nnopbase/status.h"
#include "toprope/types/half.h"

namespace toprope::operators {
namespace {

using Declared = ops::OpParamDef::Declared;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

gert::Shape shape_of(const std::vector<int64_t>& dims, const std::string& what) {
  if (dims.size() > gert::Shape::kMaxDimNum)
    throw Refused(kParamInvalid,
                  what + " has " + std::to_string(dims.size()) + " dimensions; 25 is the most");
  gert::Shape shape;
  for (const int64_t dim : dims) shape.AppendDim(dim);
  return shape;
}

// FORMAT_ND where the tensor's axes have names but the operator does not care (FormatMatchMode).
ge::Format format_of(aclFormat format, bool strict) {
  if (format == ACL_FORMAT_UNDEFINED) return ge::FORMAT_ND;
  const auto same = static_cast<ge::Format>(format);
  if (strict) return same;
  switch (same) {
    case ge::FORMAT_NCHW:
    case ge::FORMAT_NHWC:
    case ge::FORMAT_NCDHW:
    case ge::FORMAT_NCL:
      return ge::FORMAT_ND;
    default:
      return same;
  }
}

bool without_gaps(const aclTensor& tensor) {
  int64_t step = 1;
  for (size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != step) return false;
    step *= tensor.shape[i];
  }
  return true;
}

class Taker {
 public:
  Taker(const PlannedCall& planned, const Call& call)
      : def_(*planned.found.def), input_defs_(planned.input_defs), call_(call) {}

  GivenOperand take(const Declared& declared, const Value* value) const {
    GivenOperand operand;
    operand.list = declared.type == ops::DYNAMIC;
    if (value)
      std::visit(
          Overloaded{[&](const aclTensor* t) {
                       if (t) operand.tensors.push_back(tensor(declared, *t));
                     },
                     [&](const aclTensorList* list) {
                       if (!list) return;
                       for (const aclTensor* t : list->items) {
                         if (!t) throw Refused(kParamNull, name(declared) + ": the list has a null tensor");
                         operand.tensors.push_back(tensor(declared, *t));
                       }
                     },
                     [&](const aclIntArray* list) {
                       if (list) operand.tensors.push_back(integers(declared, list->items));
                     },
                     [&](const aclFloatArray* list) {
                       if (list) operand.tensors.push_back(values(list->items, ge::DT_FLOAT));
                     },
                     [&](const aclBoolArray* list) {
                       if (list) operand.tensors.push_back(values(list->items, ge::DT_BOOL));
                     },
                     [&](const aclScalar* scalar) {
                       if (scalar) operand.tensors.push_back(number(declared, *scalar));
                     },
                     [&](const aclScalarList* list) {
                       if (!list) return;
                       for (const aclScalar* s : list->items) operand.tensors.push_back(number(declared, *s));
                     },
                     [&](const auto&) { throw Refused(kParamInvalid, name(declared) + " is no operand"); }},
          *value);
    if (operand.tensors.empty() && declared.type == ops::REQUIRED)
      throw Refused(kParamNull, name(declared) + " is null; the operator requires it");
    return operand;
  }

 private:
  std::string name(const Declared& declared) const { return def_.type() + "'s " + declared.name; }

  GivenTensor tensor(const Declared& declared, const aclTensor& t) const {
    if (!without_gaps(t) && !declared.ignore_contiguous)
      throw Refused(kParamInvalid, name(declared) +
                                       " is not contiguous; copy it to a contiguous tensor before the call "
                                       "(AutoContiguous is not served), or declare IgnoreContiguous");
    const gert::StorageShape shape(shape_of(t.shape, name(declared)), shape_of(t.storage, name(declared)));
    const ge::Format format = format_of(t.format, def_.strict_formats());
    const auto type = static_cast<ge::DataType>(t.type);
    GivenTensor given;
    given.tensor = gert::Tensor(shape, {type, format, format});
    if (t.data) given.device = static_cast<char*>(t.data) + t.offset * static_cast<int64_t>(type_size(type));
    if (!t.data && shape.GetStorageShape().GetShapeSize() != 0)
      throw Refused(kParamNull, name(declared) + " has elements but a null address");
    return given;
  }

  GivenTensor host_tensor(std::vector<char> bytes, int64_t count, ge::DataType type) const {
    GivenTensor given;
    given.host = std::make_shared<std::vector<char>>(std::move(bytes));
    const gert::Shape shape{count};
    given.tensor = gert::Tensor({shape, shape}, {type, ge::FORMAT_ND, ge::FORMAT_ND}, given.host->data());
    return given;
  }

  template <class T>
  GivenTensor values(const std::vector<T>& items, ge::DataType type) const {
    std::vector<char> bytes(items.size() * sizeof(T));
    if (!items.empty()) std::memcpy(bytes.data(), items.data(), bytes.size());
    return host_tensor(std::move(bytes), static_cast<int64_t>(items.size()), type);
  }

  // As aclIntArray says, 64-bit; the definition has a combination for that.
  GivenTensor integers(const Declared&, const std::vector<int64_t>& items) const {
    return values(items, ge::DT_INT64);
  }

  GivenTensor number(const Declared& declared, const aclScalar& scalar) const {
    const ge::DataType type = number_type(declared, scalar);
    std::vector<char> bytes(type_size(type));
    const auto write = [&](auto value) {
      switch (type) {
        case ge::DT_FLOAT:
          return put(bytes, static_cast<float>(value));
        case ge::DT_FLOAT16:
          return put(bytes, half_from_float(static_cast<float>(value)));
        case ge::DT_BF16:
          return put(bytes, bfloat16(static_cast<float>(value)));
        case ge::DT_DOUBLE:
          return put(bytes, static_cast<double>(value));
        default:
          return put_integer(bytes, static_cast<int64_t>(value));
      }
    };
    std::visit(Overloaded{[&](const std::complex<double>&) {
                            throw Refused(kParamInvalid, name(declared) + " is a complex number");
                          },
                          write},
               scalar.value);
    return host_tensor(std::move(bytes), 1, type);
  }

  template <class T>
  static void put(std::vector<char>& bytes, const T& value) {
    bytes.resize(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
  }
  // The low bytes, of whatever width.
  static void put_integer(std::vector<char>& bytes, int64_t value) {
    std::memcpy(bytes.data(), &value, bytes.size());
  }

  // The type that a number is converted to (To), its own otherwise.
  ge::DataType number_type(const Declared& declared, const aclScalar& scalar) const {
    if (declared.to_type != ge::DT_UNDEFINED) return declared.to_type;
    if (declared.to_name.empty()) return static_cast<ge::DataType>(scalar.type);
    for (size_t i = 0; i < input_defs_.size() && i < call_.inputs.size(); ++i)
      if (input_defs_[i].name == declared.to_name)
        if (const auto* given = std::get_if<const aclTensor*>(&call_.inputs[i]); given && *given)
          return static_cast<ge::DataType>((*given)->type);
    throw Refused(kParamInvalid, name(declared) + " takes the type of " + declared.to_name +
                                     ", which is no tensor of this call");
  }

  const ops::OpDef& def_;
  const std::vector<Declared>& input_defs_;
  const Call& call_;
};

// A list attribute keeps bools as bytes.
template <class T>
void append_list(gert::RuntimeAttrs& attrs, const std::vector<T>& list) {
  attrs.append_list(list.data(), list.size());
}

void append_default(gert::RuntimeAttrs& attrs, const ops::OpDef& def, const ops::OpAttrDef& attr) {
  std::visit(Overloaded{[&](std::monostate) {
                          throw Refused(kParamNull, def.type() + "'s attribute " +
                                                        attr.GetName().GetString() +
                                                        " is not given and has no default");
                        },
                        [&](const std::vector<bool>& list) {
                          append_list(attrs, std::vector<char>(list.begin(), list.end()));
                        },
                        [&](const std::vector<float>& list) { append_list(attrs, list); },
                        [&](const std::vector<int64_t>& list) { append_list(attrs, list); },
                        [&](const std::vector<std::vector<int64_t>>& lists) { attrs.append_lists(lists); },
                        [&](const auto& value) { attrs.append(value); }},
             attr.value());
}

}  // namespace

void take_operands(const Call& call, PlannedCall& planned) {
  const Taker taker(planned, call);
  for (size_t i = 0; i < planned.input_defs.size(); ++i)
    planned.inputs.push_back(
        taker.take(planned.input_defs[i], i < call.inputs.size() ? &call.inputs[i] : nullptr));
  for (size_t i = 0; i < planned.output_defs.size(); ++i)
    planned.outputs.push_back(
        taker.take(planned.output_defs[i], i < call.outputs.size() ? &call.outputs[i] : nullptr));
}

gert::RuntimeAttrs attributes_of(const Call& call, const ops::OpDef& def) {
  gert::RuntimeAttrs attrs;
  size_t i = 0;
  for (const ops::OpAttrDef& attr : def.attrs()) {
    const size_t at = i++;
    if (at >= call.attrs.size()) {
      append_default(attrs, def, attr);
      continue;
    }
    bool absent = false;
    std::visit(
        Overloaded{
            [&](bool value) { attrs.append(value); }, [&](int64_t value) { attrs.append(value); },
            [&](double value) { attrs.append(static_cast<float>(value)); },
            [&](const char* text) { text ? attrs.append(std::string(text)) : void(absent = true); },
            [&](const aclIntArray* list) { list ? append_list(attrs, list->items) : void(absent = true); },
            [&](const aclFloatArray* list) { list ? append_list(attrs, list->items) : void(absent = true); },
            [&](const aclBoolArray* list) { list ? append_list(attrs, list->items) : void(absent = true); },
            [&](const auto&) {
              throw Refused(kParamInvalid, def.type() + "'s attribute " + attr.GetName().GetString() +
                                               " is given as an operand");
            }},
        call.attrs[at]);
    if (absent) append_default(attrs, def, attr);
  }
  return attrs;
}

size_t choose_combination(const PlannedCall& planned, const std::string& unit) {
  const auto fits = [](const std::vector<GivenOperand>& given, const std::vector<TypeAndFormat>& wanted) {
    for (size_t i = 0; i < given.size(); ++i)
      for (const GivenTensor& t : given[i].tensors)
        if (t.tensor.GetDataType() != wanted[i].type || t.tensor.GetStorageFormat() != wanted[i].format)
          return false;
    return true;
  };
  const std::vector<Combination> all = combinations(*planned.found.def, unit);
  for (size_t i = 0; i < all.size(); ++i)
    if (fits(planned.inputs, all[i].inputs) && fits(planned.outputs, all[i].outputs)) return i;
  const auto text = [](const TypeAndFormat& t) { return type_name(t.type) + "/" + format_name(t.format); };
  std::string given, known;
  for (const auto* side : {&planned.inputs, &planned.outputs})
    for (const GivenOperand& operand : *side)
      given += (given.empty() ? "" : ", ") + (operand.tensors.empty()
                                                  ? "absent"
                                                  : text({operand.tensors[0].tensor.GetDataType(),
                                                          operand.tensors[0].tensor.GetStorageFormat()}));
  for (const Combination& one : all) {
    std::string row;
    for (const auto* side : {&one.inputs, &one.outputs})
      for (const TypeAndFormat& t : *side) row += (row.empty() ? "" : ", ") + text(t);
    known += "; (" + row + ")";
  }
  throw Refused(kParamInvalid, planned.found.def->type() + " has no kernel for (" + given +
                                   "); its definition declares" + known.substr(1));
}

}  // namespace toprope::operators
