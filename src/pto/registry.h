// The instructions there are: the built-in ones and those of custom libraries. Entries are never removed, so
// a pointer to one stays valid.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pto/insn.hpp"
#include "pto/shape.h"

namespace pto {

/// An instruction as it was registered, with its shapes compiled. Owns every text, so that it outlives its
/// source.
struct Definition {
  struct Operand {
    std::string name, dtype_symbol;
    pto_direction direction;
    pto_dtype_set dtypes;
    int dtype_group;  ///< operands and attributes of one group have one element type; -1 is alone
    ShapeSpec shape;
    int rank() const { return shape.leading || shape.any ? -1 : static_cast<int>(shape.sizes.size()); }
  };
  struct Attribute {
    std::string name, choices, dtype_symbol;
    pto_attribute_kind kind;
    int dtype_group;
    bool has_default;
    Value default_value;
    std::vector<std::string> words;  ///< of a CHOICE
  };

  uint32_t id;
  std::string name, summary, origin;  ///< origin: the library's path, or "built in"
  std::vector<Operand> operands;
  std::vector<Attribute> attributes;
  std::vector<std::string> symbols;
  int dtype_groups = 0;
  bool elementwise;
  void (*run)(const Call&);
};

inline constexpr uint32_t kFirstCustomId = 0x8001;

/// Throws PTO_NOT_FOUND that names the nearest instructions.
const Definition& find_instruction(std::string_view name);

size_t instruction_count();
const Definition* instruction_at(size_t index);

/// Compiles what a library declares; throws std::invalid_argument that says what is wrong with it.
std::unique_ptr<Definition> compile(const Insn& insn, const std::string& origin);

/// Registers all of them, or none: throws PTO_LIBRARY_ERROR when a name is taken. Ids follow one another.
void add_custom(std::vector<std::unique_ptr<Definition>> definitions);

/// "; did you mean adds, addc or and?", or "".
std::string nearest_names(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace pto
