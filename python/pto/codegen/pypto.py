"""Target pypto: one operator → one C++ file that registers it with libpto, see include/pto/insn.hpp."""

from __future__ import annotations

import re

from pto.codegen.loops import Loop
from pto.codegen.plan import schedule
from pto.codegen.pypto_loop import LoopWriter
from pto.codegen.schedule import Schedule, Stage, is_reduction
from pto.codegen.text import Names, braces, extent, file_label, number, quoted, scalar_text, size
from pto.idl.dims import Shape, shape_text
from pto.idl.dtypes import DType
from pto.idl.program import Operator, Program, Scalar, Value


class Context:
    """What every part of one file shares: names of sizes, tensors and constants."""

    def __init__(self, program: Program, operator: Operator, plan: Schedule):
        self.program, self.operator, self.plan = program, operator, plan
        self.names = Names(["call", "run", "insns", "library", "operands", "attributes"])
        self.sizes = {symbol: self.names.new(symbol) for symbol in operator.symbols}
        self.tensors: dict[int, str] = {}
        self._constants: dict[tuple[str, str], str] = {}
        self.prologue: list[str] = []

    def declare_tensors(self) -> list[str]:
        """Pointers to operands; temporaries and views come with the stage that writes them."""
        lines = []
        inputs = {v.name: v for v in self.operator.values if v.op == "input"}
        for index, param in enumerate(self.operator.inputs):
            # An input may only say how large something is.
            if (value := inputs.get(param.name)) is not None:
                name = self.tensors[id(value)] = self.names.new(param.name)
                lines.append(f"const {param.dtype.cpp}* const {name} = call.in<{param.dtype.cpp}>({index});")
        for index, (param, value) in enumerate(zip(self.operator.outputs, self.operator.results)):
            name = self.tensors[id(value)] = self.names.new(param.name)
            place = len(self.operator.inputs) + index
            lines.append(f"{param.dtype.cpp}* const {name} = call.out<{param.dtype.cpp}>({place});")
        return lines

    def share_outputs(self) -> None:
        """Lets what a matrix product or transposition gives lie in the memory of the output that is computed from it."""
        temporaries = {id(v) for v in self.plan.temporaries}
        readers: dict[int, list[tuple[Stage, Value]]] = {}
        for stage in self.plan.stages:
            for value in stage.values:
                for operand in value.tensors:
                    readers.setdefault(id(operand), []).append((stage, value))
        for stage in self.plan.stages:
            if stage.whole:
                continue
            loop = Loop(stage, self.plan)
            order = {id(v): n for n, v in enumerate(stage.values)}
            free = [v for v in stage.values if any(v is r for r in self.operator.results)]
            for operand in loop.loads:
                if id(operand) not in temporaries or loop.passes > 1:
                    continue
                uses = readers[id(operand)]
                for result in free:
                    # Tile by tile the result is written when nothing of the tile is read any more.
                    fits = result.shape == operand.shape and result.dtype is operand.dtype and not is_reduction(result)
                    if fits and all(s is stage and order[id(v)] <= order[id(result)] for s, v in uses):
                        self.tensors[id(operand)] = self.tensors[id(result)]
                        free = [v for v in free if v is not result]
                        break

    def constant(self, scalar: Scalar, dtype: DType) -> str:
        """The name of a constant of a type with a scalar's value."""
        text = scalar_text(scalar, self._attribute, self.sizes)
        key = (text, dtype.cpp)
        if key not in self._constants:
            wish = scalar.name or {"constant": "c", "size": "count"}.get(scalar.op, "scalar")
            name = self._constants[key] = self.names.new(wish)
            value = f"{text}, 0" if scalar.kind == "float" else f"static_cast<double>({text}), {text}"
            self.prologue.append(f"const {dtype.cpp} {name} = ::pto::constant<{dtype.cpp}>(::pto::Value{{{value}}});")
        return self._constants[key]

    def _attribute(self, scalar: Scalar) -> str:
        index = [a.name for a in self.operator.attrs].index(scalar.name)
        return f"call.attributes[{index}].{'f' if scalar.kind == 'float' else 'i'}"

    def start(self, reduction: str, dtype: DType) -> str:
        """The name of the constant that a reduction of nothing gives."""
        key = (f"start of {reduction}", dtype.cpp)
        if key not in self._constants:
            name = self._constants[key] = self.names.new(f"{reduction}_start")
            self.prologue.append(f"{dtype.cpp} {name};")
            operation = f"::pto::Reduce::{reduction.capitalize()}"
            self.prologue.append(f"::pto::reduce({operation}, &{name}, &{name}, 1, 0);")
        return self._constants[key]

    def count(self, shape: Shape) -> str:
        """The number of elements of a shape."""
        return extent(shape, self.sizes)

    def comment(self, value: Value) -> str:
        """The source of a value, shortened to fit a line."""
        text = quoted(self.program.source, value.span)
        return text if len(text) <= 72 else text[:69] + "..."


def generate(program: Program, operator: Operator) -> str:
    """The text of `<operator in lower case>_pypto.cpp`; the same program always gives the same text."""
    plan = schedule(operator)
    operator = plan.operator
    context = Context(program, operator, plan)
    tensors = context.declare_tensors()
    context.share_outputs()
    body: list[str] = []
    for stage in plan.stages:
        body += _stage(context, stage)
    sizes = [f"const int64_t {name} = call.symbols[{i}];" for i, name in enumerate(context.sizes.values())]
    used = "\n".join([*context.prologue, *body])
    sizes = [line for line, name in zip(sizes, context.sizes.values()) if re.search(rf"\b{name}\b", used)]
    run = [*sizes, *tensors, *context.prologue, *body]
    package = ".".join(program.package)
    of = f" of package {package}" if package else ""
    lines = [
        f"// Generated by pto.codegen from {file_label(program.source)}: operator {operator.name}{of}.",
        "#include <algorithm>",
        "#include <cmath>",
        "#include <cstdint>",
        "#include <memory>",
        "",
        '#include "pto/insn.hpp"',
        "",
        "namespace {",
        "",
        f"// {_summary(context)}",
        *braces(["void run(const ::pto::Call& call) {", *run, "}"], "  "),
        "",
        *_registration(context),
        "}  // namespace",
        "",
        'extern "C" PTO_API const ::pto::Library* pto_insn_library() { return &library; }',
        "",
    ]
    return "\n".join(lines)


def _summary(context: Context) -> str:
    operator = context.operator
    parts = [f"{p.name} {shape_text(p.shape)}" for p in operator.outputs]
    return f"{', '.join(parts)} from {', '.join(f'{p.name} {shape_text(p.shape)}' for p in operator.inputs)}"


# --- stages ---


def _stage(context: Context, stage: Stage) -> list[str]:
    if not stage.whole:
        loop = Loop(stage, context.plan)
        lines = []
        for value in stage.values:
            if context.plan.is_stored(value):
                lines += _memory(context, value)
        return ["", *lines, *LoopWriter(context, loop).lines()]
    (value,) = stage.values
    lines = ["", f"// {context.comment(value)}"]
    source = context.tensors[id(value.tensors[0])]
    is_result = id(value) in context.tensors
    if stage.whole == "reshape":
        if is_result:
            target = context.tensors[id(value)]
            lines.append(f"std::copy_n({source}, {context.count(value.shape)}, {target});")
        else:
            name = context.tensors[id(value)] = context.names.new(value.name or "view")
            lines.append(f"const {value.dtype.cpp}* const {name} = {source};")
        return lines
    lines += _memory(context, value)
    target = context.tensors[id(value)]
    if stage.whole == "transpose":
        shape = value.tensors[0].shape
        sizes = ", ".join(size(d, context.sizes) for d in shape)
        perm = ", ".join(map(str, value.perm))
        return [
            *lines,
            "{",
            f"const int64_t shape[] = {{{sizes}}};",
            f"const int perm[] = {{{perm}}};",
            f"::pto::transpose({target}, {source}, {len(shape)}, shape, perm);",
            "}",
        ]
    return lines + _matmul(context, value, target)


def _memory(context: Context, value: Value) -> list[str]:
    """Memory for a value that is no operand."""
    if id(value) in context.tensors:
        return []
    name = context.tensors[id(value)] = context.names.new(value.name or "whole")
    owner = context.names.new(f"{name}_memory")
    type_ = value.dtype.cpp
    return [
        f"const std::unique_ptr<{type_}[]> {owner}(new {type_}[{context.count(value.shape)}]);",
        f"{type_}* const {name} = {owner}.get();",
    ]


def _matmul(context: Context, value: Value, target: str) -> list[str]:
    a, b = value.tensors
    left, right = context.tensors[id(a)], context.tensors[id(b)]
    k, n = size(a.shape[-1], context.sizes), size(b.shape[-1], context.sizes)
    if len(b.shape) == 2:
        return [f"::pto::matmul({target}, {left}, {right}, {context.count(a.shape[:-1])}, {k}, {n});"]
    m = size(a.shape[-2], context.sizes)
    each = {v: context.count(v.shape[-2:]) for v in (value, a, b)}
    index = context.names.new("batch")
    return [
        f"for (int64_t {index} = 0; {index} < {context.count(a.shape[:-2])}; ++{index}) {{",
        f"::pto::matmul({target} + {index} * ({each[value]}), {left} + {index} * ({each[a]}), "
        f"{right} + {index} * ({each[b]}), {m}, {k}, {n});",
        "}",
    ]


# --- registration ---


def _registration(context: Context) -> list[str]:
    operator = context.operator
    lines = ["const ::pto::Operand operands[] = {"]
    for direction, params in (("PTO_IN", operator.inputs), ("PTO_OUT", operator.outputs)):
        for p in params:
            lines.append(f'    {{"{p.name}", {direction}, ::pto::one(PTO_{p.dtype}), "", "{shape_text(p.shape)}"}},')
    lines.append("};")
    attributes = "nullptr"
    if operator.attrs:
        attributes = "attributes"
        lines.append("const ::pto::Attribute attributes[] = {")
        for attr in operator.attrs:
            kind = "PTO_ATTRIBUTE_FLOAT" if attr.dtype.floating else "PTO_ATTRIBUTE_INT"
            has, default = ("false", "0.0") if attr.default is None else ("true", number(attr.default))
            lines.append(f'    {{"{attr.name}", {kind}, "", "", {has}, {default}}},')
        lines.append("};")
    count = len(operator.inputs) + len(operator.outputs)
    flags = "::pto::kElementwise" if _is_elementwise(context) else "0"
    lines += [
        f'const ::pto::Insn insns[] = {{{{"{operator.name}", "{_summary(context)}", operands, {count}, {attributes}, '
        f'{len(operator.attrs)}, "{" ".join(operator.symbols)}", {flags}, run}}}};',
        f'const ::pto::Library library = {{PTO_INSN_ABI, "{".".join(context.program.package)}", insns, 1}};',
        "",
    ]
    return lines


def _is_elementwise(context: Context) -> bool:
    """Whether the output may lie over an input: one loop, everything of one type and shape, the output written last."""
    operator, stages = context.operator, context.plan.stages
    if len(stages) != 1 or stages[0].whole or len(operator.outputs) != 1:
        return False
    (output,), (result,) = operator.outputs, operator.results
    same = all(p.shape == output.shape and p.dtype is output.dtype for p in operator.inputs)
    plain = all(v.shape == result.shape and not v.op.startswith("reduce_") for v in stages[0].values)
    return same and plain and stages[0].values[-1] is result
