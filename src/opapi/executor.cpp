// Running a row of the table: operands become the boxed arguments of the dispatcher's operator, its results
// are copied into the output operands. Copying lets an output have any type and strides that the device would
// accept.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>

#include "nnopbase/objects.h"
#include "opapi/binding.h"
#include "opapi/number.h"
#include "opapi/status.h"
#include "opapi/tensors.h"

using toprope::opapi::Operand;
using toprope::opapi::Row;

// Operands as kept from the first half of the call to the second: the caller may destroy its objects in
// between.
struct aclOpExecutor {
  const Row* row;
  struct Kept {
    Operand operand;
    std::optional<aclTensor> tensor;
    std::vector<std::optional<aclTensor>> tensors;
    c10::IValue value;  ///< everything else
  };
  std::vector<Kept> operands;
};

namespace toprope::opapi {
namespace {

using Kept = aclOpExecutor::Kept;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

at::Scalar number_of(const aclScalar& scalar) {
  return std::visit(Overloaded{[](bool v) { return at::Scalar(v); }, [](int64_t v) { return at::Scalar(v); },
                               [](double v) { return at::Scalar(v); },
                               [](std::complex<double> v) { return at::Scalar(c10::complex<double>(v)); }},
                    scalar.value);
}

Kept keep(const Operand& operand) {
  Kept kept{operand, {}, {}, {}};
  std::visit(Overloaded{[&](const aclTensor* tensor) {
                          if (tensor != nullptr) kept.tensor = *tensor;
                        },
                        [&](const aclTensorList* list) {
                          if (list == nullptr) return;
                          for (const aclTensor* tensor : list->items) {
                            kept.tensors.push_back(tensor != nullptr ? std::optional(*tensor) : std::nullopt);
                          }
                        },
                        [&](const aclScalar* scalar) {
                          if (scalar != nullptr) kept.value = number_of(*scalar);
                        },
                        [&](const aclScalarList* list) {
                          if (list == nullptr) return;
                          c10::List<at::Scalar> numbers;
                          for (const aclScalar* scalar : list->items) numbers.push_back(number_of(*scalar));
                          kept.value = numbers;
                        },
                        [&](const aclIntArray* list) {
                          if (list != nullptr) kept.value = c10::List<int64_t>(c10::IntArrayRef(list->items));
                        },
                        [&](const aclFloatArray* list) {
                          if (list == nullptr) return;
                          kept.value =
                              c10::List<double>(std::vector<double>(list->items.begin(), list->items.end()));
                        },
                        [&](const aclBoolArray* list) {
                          if (list == nullptr) return;
                          c10::List<bool> flags;
                          for (char flag : list->items) flags.push_back(flag != 0);
                          kept.value = flags;
                        },
                        [&](const char* text) {
                          if (text != nullptr) kept.value = std::string(text);
                        },
                        [&](auto value) { kept.value = value; }},
             operand);
  return kept;
}

// A number as the schema's argument wants it: the device's interface often takes a scalar where torch takes a
// double or an integer, and numbers its modes.
c10::IValue fit(const c10::IValue& value, const c10::Argument& argument) {
  c10::TypePtr type = argument.type();
  if (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  const bool number = value.isScalar() || value.isBool();
  if (!number) return value;
  const at::Scalar scalar = value.toScalar();
  switch (type->kind()) {
    case c10::TypeKind::FloatType:
      return scalar.toDouble();
    case c10::TypeKind::IntType:
    case c10::TypeKind::SymIntType:
      return scalar.toLong();
    case c10::TypeKind::BoolType:
      return scalar.toLong() != 0;
    case c10::TypeKind::NumberType:
      return scalar;
    case c10::TypeKind::ListType:
      return c10::List<int64_t>({scalar.toLong()});
    default:
      return value;
  }
}

bool is_type_argument(const c10::Argument& argument) {
  c10::TypePtr type = argument.real_type();
  if (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  return type->kind() == c10::TypeKind::ScalarTypeType;
}

class Call {
 public:
  explicit Call(const aclOpExecutor& executor) : executor_(executor), binding_(binding_of(*executor.row)) {}

  void run() {
    torch::jit::Stack stack = binding_.defaults;
    for (size_t i = 0; i < binding_.operands.size(); ++i) {
      const BoundOperand& bound = binding_.operands[i];
      if (bound.role != Role::Argument) continue;
      const c10::Argument& argument = binding_.op.schema().arguments()[bound.argument];
      c10::IValue value = argument_value(executor_.operands[i], argument);
      // Nothing was given for an optional argument: the schema's default is what the device documents too.
      if (!value.isNone()) stack[bound.argument] = std::move(value);
    }
    const at::AutoDispatchBelowADInplaceOrView below;
    binding_.op.callBoxed(&stack);
    for (const auto& [tensor, plain] : written_) write_formatted(*tensor, plain);
    deliver(stack);
  }

 private:
  c10::IValue argument_value(const Kept& kept, const c10::Argument& argument) {
    const bool writes = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    if (std::holds_alternative<const aclTensor*>(kept.operand)) {
      return kept.tensor ? c10::IValue(read(*kept.tensor, writes)) : c10::IValue();
    }
    if (std::holds_alternative<const aclTensorList*>(kept.operand)) return list_value(kept, argument, writes);
    if (is_type_argument(argument) && kept.value.isInt()) {
      const auto type = scalar_type(static_cast<aclDataType>(kept.value.toInt()));
      return type ? c10::IValue(static_cast<int64_t>(*type)) : c10::IValue();
    }
    return fit(kept.value, argument);
  }

  // Indexing leaves a dimension alone where the list holds nothing for it; the device's interface says so
  // with an empty tensor.
  c10::IValue list_value(const Kept& kept, const c10::Argument& argument, bool writes) {
    const auto list = argument.type()->castRaw<c10::ListType>();
    if (list != nullptr && list->getElementType()->kind() == c10::TypeKind::OptionalType) {
      c10::List<std::optional<at::Tensor>> tensors;
      for (const auto& tensor : kept.tensors) {
        const bool given = tensor && !(tensor->shape.size() == 1 && tensor->shape[0] == 0);
        tensors.push_back(given ? std::optional(read(*tensor, writes)) : std::nullopt);
      }
      return tensors;
    }
    c10::List<at::Tensor> tensors;
    for (const auto& tensor : kept.tensors) tensors.push_back(tensor ? read(*tensor, writes) : at::Tensor());
    return tensors;
  }

  at::Tensor read(const aclTensor& tensor, bool writes) {
    at::Tensor over = tensor_over(tensor);
    if (writes && needs_write_back(tensor)) written_.emplace_back(&tensor, over);
    return over;
  }

  void deliver(const torch::jit::Stack& results) {
    size_t next = 0;
    for (size_t i = 0; i < binding_.operands.size(); ++i) {
      const Role role = binding_.operands[i].role;
      if (role != Role::Output && role != Role::SizedOutput) continue;
      const Kept& kept = executor_.operands[i];
      if (std::holds_alternative<const aclTensorList*>(kept.operand)) {
        const auto tensors = results.at(next++).toTensorVector();
        TORCH_CHECK(tensors.size() == kept.tensors.size(), "gives ", tensors.size(),
                    " tensors for a list of ", kept.tensors.size());
        for (size_t k = 0; k < tensors.size(); ++k) put(tensors[k], *kept.tensors[k]);
        continue;
      }
      const c10::IValue& result = results.at(next++);
      if (!kept.tensor || (result.isTensor() && !result.toTensor().defined())) continue;
      if (result.isBool()) {
        *static_cast<bool*>(kept.tensor->data) = result.toBool();
      } else if (role == Role::SizedOutput) {
        put_sized(result.toTensor(), kept);
      } else {
        put(result.toTensor(), *kept.tensor);
      }
    }
  }

  static void put(const at::Tensor& result, const aclTensor& output) {
    at::Tensor over = tensor_over(output);
    const bool other_shape = result.sizes() != over.sizes() && result.numel() == over.numel();
    over.copy_(other_shape ? result.reshape(over.sizes()) : result);
    if (needs_write_back(output)) write_formatted(output, over);
  }

  // The caller gave memory for the largest result and asks the tensor for its shape afterwards.
  static void put_sized(const at::Tensor& result, const Kept& kept) {
    auto* output = const_cast<aclTensor*>(std::get<const aclTensor*>(kept.operand));
    output->shape = result.sizes().vec();
    output->strides = result.contiguous().strides().vec();
    put(result, *output);
  }

  const aclOpExecutor& executor_;
  const Binding& binding_;
  std::vector<std::pair<const aclTensor*, at::Tensor>> written_;
};

}  // namespace

int plan(const Row& row, const Operand* operands, uint64_t count, uint64_t* workspace,
         aclOpExecutor** executor) noexcept {
  return guarded_call(row.name, [&] {
    if (workspace == nullptr || executor == nullptr) {
      return refuse(kParamNull, row.name, "workspaceSize and executor must not be null");
    }
    auto planned = std::make_unique<aclOpExecutor>();
    planned->row = &row;
    for (uint64_t i = 0; i < count; ++i) planned->operands.push_back(keep(operands[i]));
    *workspace = 0;
    *executor = planned.release();
    return kSuccess;
  });
}

int run(aclOpExecutor* executor, void* stream) noexcept {
  if (executor == nullptr) return refuse(kParamNull, "aclnn", "the executor is null");
  std::shared_ptr<aclOpExecutor> owned(executor);
  return in_stream_order(owned->row->name, stream, [owned] { Call(*owned).run(); });
}

int refuse_unserved(const char* name, const char* operands) noexcept {
  return guarded_call(name, [&] {
    return refuse(kInner, name,
                  std::string("Toprope does not serve this operator. Its operands are: ") + operands +
                      ". To add it, put a row into src/opapi/operators/*.ops (the form is described in "
                      "src/opapi/generate.py) and take its line out of unserved.txt; where PyTorch has no "
                      "such operator, "
                      "write one in own_operators.cpp");
  });
}

}  // namespace toprope::opapi
