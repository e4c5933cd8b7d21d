// The published figures that the model of dav-2201 is made of: spec/costs.tsv and spec/vector_costs.tsv.
#pragma once
#include <span>
#include <string_view>

namespace toprope::trace {

struct Figure {
  const char* name;
  double value;
  const char* unit;
  const char* source;
};

/// One vector instruction: elements a cycle, cycles before the first repeat and after the last one.
struct VectorCost {
  const char* name;  ///< as Instruction::name, "*" for instructions without a row
  double rate16, rate32;
  double head, tail;
  const char* counts;  ///< the operand whose elements are counted
  const char* source;
};

std::span<const Figure> figures();

/// A figure's value. Throws std::logic_error when the table has no such name.
double figure(std::string_view name);

/// A figure's value, or `otherwise`.
double figure_or(std::string_view name, double otherwise);

const VectorCost& vector_cost(std::string_view instruction);

}  // namespace toprope::trace
