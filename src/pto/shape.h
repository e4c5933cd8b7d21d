// Symbolic shapes: "[M, 2*N]" is compiled when an instruction is registered and matched when it runs.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pto {

/// One size: a constant, a symbol, or an expression over both.
struct SizeExpression {
  enum Kind : uint8_t { Constant, Symbol, Add, Subtract, Multiply, Divide };
  struct Node {
    Kind kind;
    int64_t value;    ///< Constant: the number; Symbol: its place among the instruction's symbols
    int left, right;  ///< operators: places of their operands among the nodes
  };
  std::vector<Node> nodes;  ///< the last one is the whole
  const Node& whole() const { return nodes.back(); }
};

struct ShapeSpec {
  bool leading = false;  ///< "..." stands before the sizes
  bool any = false;      ///< "[*]": any shape, whatever the other operands have
  std::vector<SizeExpression> sizes;
  std::string text;
};

/// Compiles `text`; symbols that are new are added to `symbols`. Throws std::invalid_argument that says what
/// is wrong.
ShapeSpec compile_shape(std::string_view text, std::vector<std::string>& symbols);

/// A shape to match; a null `shape` is not known.
struct Given {
  const ShapeSpec* spec;
  int rank;
  const int64_t* shape;
};

/// Finds every symbol's value; values[i] belongs to symbols[i]. Returns -1, or the operand that does not fit;
/// then `why` is what was expected of it ("expected [K, N] with K = 2, as operand 0 says").
int match_shapes(const Given* given, int count, const std::vector<std::string>& symbols, int64_t* values,
                 std::string& why);

/// The shape of given[index], which is not known, from the others: false when they do not tell. `shape` has
/// room for PTO_MAX_RANK sizes. The others fit each other (match_shapes).
bool infer_shape(const Given* given, int count, const int64_t* values, int index, int* rank, int64_t* shape);

}  // namespace pto
