#include "trace/costs.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace toprope::trace {
namespace {

#include "trace/costs_table.inc"

const Figure* find(std::string_view name) {
  const auto at =
      std::ranges::lower_bound(kFigures, name, {}, [](const Figure& f) { return std::string_view(f.name); });
  return at != std::end(kFigures) && at->name == name ? &*at : nullptr;
}

}  // namespace

std::span<const Figure> figures() { return kFigures; }

double figure(std::string_view name) {
  if (const Figure* f = find(name)) return f->value;
  throw std::logic_error("spec/costs.tsv has no figure " + std::string(name));
}

double figure_or(std::string_view name, double otherwise) {
  const Figure* f = find(name);
  return f ? f->value : otherwise;
}

const VectorCost& vector_cost(std::string_view instruction) {
  for (const VectorCost& row : kVectorCosts)
    if (row.name == instruction) return row;
  return *(std::end(kVectorCosts) - 1);  // "*" is the last row
}

}  // namespace toprope::trace
