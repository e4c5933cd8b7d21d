"""The struct that the host passes to an operator's kernels by value: sizes, and scalars that are not constants."""

from __future__ import annotations

from pto.codegen.ascendc_vector import type_of
from pto.codegen.text import Names, number, scalar_text
from pto.idl.dtypes import DType
from pto.idl.program import Operator, Scalar


class Scalars:
    """Collects the fields while kernels are written."""

    def __init__(self, operator: Operator, struct: str):
        self.struct = struct
        self.names = Names()
        self.sizes = {symbol: self.names.new(symbol) for symbol in operator.symbols}
        self._fields: dict[tuple[str, str], str] = {}  #: (expression, type) → field
        self.attrs = {attr.name: self.names.new(attr.name) for attr in operator.attrs}

    def kernel_text(self, scalar: Scalar, dtype: DType) -> str:
        """A scalar in a kernel, of the element type."""
        type_ = type_of(dtype)
        if scalar.op == "constant":
            assert scalar.value is not None
            text = str(scalar.value) if isinstance(scalar.value, int) else number(scalar.value)
            return f"static_cast<{type_}>({text})"
        expression = scalar_text(scalar, lambda s: self.attrs[s.name], self.sizes)
        held = "float" if dtype.floating else type_
        key = (expression, held)
        if key not in self._fields:
            # A field may be called like the attribute it holds: the host's parameter is no member of the struct.
            self._fields[key] = self.names.new(f"{scalar.name or scalar.op}_value")
        return f"static_cast<{type_}>(t.{self._fields[key]})"

    def declaration(self) -> list[str]:
        """The struct."""
        sizes = [f"    int64_t {name};" for name in self.sizes.values()]
        fields = [f"    {held} {name};" for (_, held), name in self._fields.items()]
        return [f"struct {self.struct} {{", *sizes, *fields, "};"]

    def values(self) -> list[str]:
        """What the host puts in, in order: the sizes and attributes are variables of these names there."""
        return [*self.sizes.values(), *(f"static_cast<{held}>({text})" for text, held in self._fields)]
