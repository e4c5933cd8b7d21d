"""Target ascendc: a CMake project with kernels, tiling and a torch.library wrapper for every operator of a file."""

from __future__ import annotations

import math
import re

from pto.codegen import torch_library
from pto.codegen.ascendc_kernel import Kernel, KernelWriter
from pto.codegen.ascendc_tiling import Scalars
from pto.codegen.plan import schedule
from pto.codegen.schedule import Schedule
from pto.codegen.text import braces, extent, file_label, quoted
from pto.idl.dims import shape_text
from pto.idl.program import Operator, Program, Value
from pto.idl.source import IdlError, IdlErrors

_HELPERS = """\
namespace {

// Blocks share the work evenly; more of them than cores would only wait.
inline uint32_t Blocks(int64_t units) { return static_cast<uint32_t>(units < 40 ? units : 40); }

// n elements rounded up to whole repeats of 256 bytes.
template <class T>
__aicore__ inline uint32_t Whole(uint32_t n)
{
    constexpr uint32_t repeat = 256 / sizeof(T);
    return (n + repeat - 1) / repeat * repeat;
}

template <class T>
__aicore__ inline void Load(const AscendC::LocalTensor<T>& to, const AscendC::GlobalTensor<T>& from, uint32_t n)
{
    AscendC::DataCopyPad(to, from, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0},
                         AscendC::DataCopyPadExtParams<T>{false, 0, 0, T(0)});
}

template <class T>
__aicore__ inline void Store(const AscendC::GlobalTensor<T>& to, const AscendC::LocalTensor<T>& from, uint32_t n)
{
    AscendC::DataCopyPad(to, from, AscendC::DataCopyExtParams{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0});
}

}  // namespace
"""

_REFUSED = {
    "matmul": (
        "a matrix product runs on the cube core, for which the generated kernels have no form yet",
        "use target pypto",
    ),
    "transpose": ("a transposition has no form in the generated kernels yet", "use target pypto"),
}


def generate(program: Program) -> dict[str, str]:
    """File name → text. Raises IdlErrors for what has no form in Ascend C here, before anything is written."""
    files: dict[str, str] = {}
    errors: list[IdlError] = []
    for operator in program.operators:
        try:
            files |= _operator(program, operator)
        except IdlErrors as found:
            errors += found.errors
    if errors:
        raise IdlErrors(errors)
    names = [o.name.lower() for o in program.operators]
    files["CMakeLists.txt"] = torch_library.cmake(program, names)
    return files


def namespace(program: Program) -> str:
    """The torch.library namespace: the package with underscores."""
    return torch_library.namespace(program)


def _operator(program: Program, operator: Operator) -> dict[str, str]:
    plan = schedule(operator)
    operator = plan.operator
    refusals = [
        IdlError(program.source, value.span, f"target ascendc: {_REFUSED[value.op][0]}", _REFUSED[value.op][1])
        for value in operator.values
        if value.op in _REFUSED
    ]
    refusals += [
        IdlError(
            program.source,
            attr.span,
            f"target ascendc: the default of '{attr.name}' is infinite, which torch's schemas cannot say",
            "leave the default out",
        )
        for attr in operator.attrs
        if attr.default is not None and math.isinf(attr.default)
    ]
    if refusals:
        raise IdlErrors(refusals)
    lower = operator.name.lower()
    # Not <name>Tiling: kernel_operator.h brings LayerNormTiling, SoftMaxTiling and their like.
    scalars = Scalars(operator, f"{operator.name}OperatorTiling")
    #: What is launched, in order: kernels, and reshaped outputs to copy.
    work: list[Kernel | Value] = []
    for stage in plan.stages:
        if not stage.whole:
            name = f"{lower}_kernel" if len(plan.stages) == 1 else f"{lower}_kernel_{len(work) + 1}"
            work.append(KernelWriter(operator, program.source, plan, stage, name, scalars).kernel())
        elif any(stage.values[0] is result for result in operator.results):
            work.append(stage.values[0])
    parameters = _parameters(operator, plan)
    header = f"{lower}_tiling.h"
    signature = torch_library.launch_signature(operator, scalars, parameters)
    return {
        header: _header(program, operator, scalars, signature),
        f"{lower}.asc": _kernel_file(program, operator, plan, scalars, work, parameters, signature),
        f"{lower}_torch.cpp": torch_library.wrapper(program, operator, plan, scalars, parameters),
    }


def _parameters(operator: Operator, plan: Schedule) -> list[Value]:
    """The tensors that the launching function takes: inputs that are read, outputs, temporaries."""
    inputs = [v for v in operator.values if v.op == "input"]
    order = {p.name: n for n, p in enumerate(operator.inputs)}
    return [*sorted(inputs, key=lambda v: order[v.name]), *operator.results, *plan.temporaries]


def _header(program: Program, operator: Operator, scalars: Scalars, signature: str) -> str:
    label = file_label(program.source)
    return "\n".join(
        [
            f"// Generated by pto.codegen from {label}: what the host tells the kernels of operator {operator.name}.",
            "#pragma once",
            "#include <cstdint>",
            "",
            *scalars.declaration(),
            "",
            "// Enqueues the kernels on a stream. Addresses are of device memory.",
            f"{signature};",
            "",
        ]
    )


def _kernel_file(
    program: Program,
    operator: Operator,
    plan: Schedule,
    scalars: Scalars,
    work: list[Kernel | Value],
    parameters: list[Value],
    signature: str,
) -> str:
    label = file_label(program.source)
    package = ".".join(program.package)
    lines = [
        f"// Generated by pto.codegen from {label}: operator {operator.name}{f' of package {package}' if package else ''}.",
        f"// {', '.join(f'{p.name} {shape_text(p.shape)}' for p in operator.outputs)} from "
        f"{', '.join(f'{p.name} {shape_text(p.shape)}' for p in operator.inputs)}:",
    ]
    for value in operator.values:
        if value.name and value.op != "input":
            lines.append(f"//   {value.name} = {quoted(program.source, value.span)}")
    lines += ["#include <cmath>", "", f'#include "{operator.name.lower()}_tiling.h"', '#include "acl/acl.h"']
    lines += ['#include "kernel_operator.h"', "", *_HELPERS.splitlines(), ""]
    for item in work:
        if isinstance(item, Kernel):
            lines += [*braces(item.lines, "    "), ""]
    texts = torch_library.parameter_names(parameters)
    roots = {id(v): v for v in parameters}
    body: list[str] = []
    for item in work:
        if isinstance(item, Value):
            source = texts[id(_memory(item.tensors[0], roots))]
            count = extent(item.shape, scalars.sizes)
            body.append(f"if (const size_t bytes = ({count}) * {item.dtype.bytes}; bytes > 0) {{")
            body.append(
                f"aclrtMemcpyAsync({texts[id(item)]}, bytes, {source}, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);"
            )
        else:
            arguments = [texts[id(_memory(v, roots))] for v in item.tensors]
            body.append(f"if (const int64_t units = {item.units}; units > 0) {{")
            body.append(f"{item.name}<<<Blocks(units), nullptr, stream>>>({', '.join([*arguments, 't'])});")
        body.append("}")
    used = "\n".join(body)
    sizes = [f"const int64_t {n} = t.{n};" for n in scalars.sizes.values() if re.search(rf"\b{n}\b", used)]
    body = [*sizes, *body]
    lines += [*braces([signature, "{", *body, "}"], "    "), ""]
    return "\n".join(lines)


def _memory(value: Value, roots: dict[int, Value]) -> Value:
    """The tensor whose memory a value lies in: a reshape is another view."""
    while id(value) not in roots:
        assert value.op == "reshape"
        (value,) = value.tensors
    return value
