#include "opapi/binding.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <sstream>
#include <string_view>
#include <unordered_map>

namespace toprope::opapi {
namespace {

std::vector<std::string> words(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> found;
  for (std::string word; stream >> word;) found.push_back(word);
  return found;
}

BoundOperand parse_operand(const std::string& word) {
  const std::string name = word.substr(0, word.find(':'));
  if (name.rfind(">>", 0) == 0) return {name.substr(2), Role::SizedOutput, -1};
  if (name[0] == '>') return {name.substr(1), Role::Output, -1};
  if (name[0] == '_') return {name.substr(1), Role::Unused, -1};
  return {name[0] == '!' ? name.substr(1) : name, Role::Argument, -1};
}

int argument_index(const c10::FunctionSchema& schema, const std::string& name) {
  for (size_t i = 0; i < schema.arguments().size(); ++i) {
    if (schema.arguments()[i].name() == name) return static_cast<int>(i);
  }
  return -1;
}

// A constant of the row, read as the schema's argument wants it.
c10::IValue parse_constant(const c10::Argument& argument, const std::string& text) {
  c10::TypePtr type = argument.type();
  if (auto optional = type->cast<c10::OptionalType>()) type = optional->getElementType();
  switch (type->kind()) {
    case c10::TypeKind::StringType:
      return text;
    case c10::TypeKind::BoolType:
      return text == "true";
    case c10::TypeKind::FloatType:
      return std::stod(text);
    case c10::TypeKind::NumberType:
      return at::Scalar(std::stod(text));
    default:
      return int64_t{std::stoll(text)};
  }
}

c10::OperatorHandle find_operator(const char* target) {
  const std::string_view full(target);
  const size_t dot = full.find('.');
  return c10::Dispatcher::singleton().findSchemaOrThrow(
      std::string(full.substr(0, dot)).c_str(),
      dot == std::string_view::npos ? "" : std::string(full.substr(dot + 1)).c_str());
}

std::unique_ptr<Binding> bind(const Row& row) {
  auto binding = std::make_unique<Binding>(Binding{find_operator(row.target), {}, {}});
  const c10::FunctionSchema& schema = binding->op.schema();
  std::vector<bool> given(schema.arguments().size());
  for (const c10::Argument& argument : schema.arguments()) {
    binding->defaults.push_back(argument.default_value() ? *argument.default_value() : c10::IValue());
    given[binding->defaults.size() - 1] =
        argument.default_value().has_value() || argument.type()->kind() == c10::TypeKind::OptionalType;
  }
  for (const std::string& constant : words(row.constants)) {
    const size_t equals = constant.find('=');
    const int index = argument_index(schema, constant.substr(0, equals));
    TORCH_CHECK(index >= 0, row.name, ": the constant '", constant, "' names no argument of ", schema);
    binding->defaults[index] = parse_constant(schema.arguments()[index], constant.substr(equals + 1));
    given[index] = true;
  }
  size_t outputs = 0;
  for (const std::string& word : words(row.operands)) {
    BoundOperand operand = parse_operand(word);
    if (operand.role == Role::Argument) {
      operand.argument = argument_index(schema, operand.name);
      TORCH_CHECK(operand.argument >= 0, row.name, ": the operand '", operand.name, "' names no argument of ",
                  schema);
      given[operand.argument] = true;
    } else if (operand.role != Role::Unused) {
      ++outputs;
    }
    binding->operands.push_back(std::move(operand));
  }
  for (size_t i = 0; i < given.size(); ++i) {
    TORCH_CHECK(given[i], row.name, ": nothing gives the argument '", schema.arguments()[i].name(), "' of ",
                schema);
  }
  const bool list_result =
      schema.returns().size() == 1 && schema.returns()[0].type()->kind() == c10::TypeKind::ListType;
  TORCH_CHECK(outputs <= schema.returns().size() || list_result, row.name, " has ", outputs,
              " outputs, but the results of ", schema, " are fewer");
  return binding;
}

}  // namespace

const Binding& binding_of(const Row& row) {
  static std::mutex mutex;
  static auto* const bindings = new std::unordered_map<const Row*, std::unique_ptr<Binding>>();
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<Binding>& entry = (*bindings)[&row];
  if (!entry) entry = bind(row);
  return *entry;
}

}  // namespace toprope::opapi

/// Binds every row of the tables: the number of rows that do not fit their operator or whose operator has no
/// CPU kernel, with the reasons in `text`.
extern "C" __attribute__((visibility("default"))) int toprope_check_operator_tables(char* text, size_t size) {
  using c10::DispatchKey;
  std::string reasons;
  int wrong = 0;
  for (uint64_t i = 0; i < toprope::opapi::kRowCount; ++i) {
    const toprope::opapi::Row& row = toprope::opapi::kRows[i];
    try {
      const c10::OperatorHandle& op = toprope::opapi::binding_of(row).op;
      bool runs = false;
      for (const DispatchKey key :
           {DispatchKey::CPU, DispatchKey::CompositeExplicitAutograd,
            DispatchKey::CompositeExplicitAutogradNonFunctional, DispatchKey::CompositeImplicitAutograd}) {
        runs |= op.hasKernelForDispatchKey(key);
      }
      TORCH_CHECK(runs, row.name, ": ", row.target, " has no kernel for the CPU");
    } catch (const c10::Error& error) {
      reasons += error.what_without_backtrace();
      reasons += '\n';
      ++wrong;
    }
  }
  if (size != 0) {
    const size_t length = std::min(reasons.size(), size - 1);
    reasons.copy(text, length);
    text[length] = '\0';
  }
  return wrong;
}
