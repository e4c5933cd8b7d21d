#include "pto/builtin.h"

#include "pto/builtin/complex.h"
#include "pto/builtin/elementwise.h"
#include "pto/builtin/layout.h"
#include "pto/builtin/matrix.h"

namespace pto {
namespace builtin {
namespace {

#include "pto/builtin_table.inc"

}  // namespace
}  // namespace builtin

std::span<const Builtin> builtin_instructions() { return builtin::builtins; }

}  // namespace pto
