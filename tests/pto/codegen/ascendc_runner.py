"""Runs generated kernels through the launching function that the torch wrapper calls, on memory of libascendcl.

As a program: ascendc_runner.py LIBRARY runs every case that the library holds; for checks that the environment turns on.
"""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from pathlib import Path

from operators import COMMON, check
from pto.codegen import generate
from pto.codegen.build import prefix
from pto.codegen.plan import schedule
from pto.idl import Source, load
from pto.idl.program import Operator

import torch

OK = 0


class Acl:
    """Device memory through libascendcl."""

    def __init__(self) -> None:
        self._acl = ctypes.CDLL(f"{prefix()}/lib64/libascendcl.so", mode=ctypes.RTLD_GLOBAL)
        assert self._acl.aclrtSetDevice(0) == OK

    def copy_in(self, tensor: torch.Tensor) -> ctypes.c_void_p:
        """Device memory of exactly the tensor's size with its bytes."""
        address = ctypes.c_void_p()
        assert self._acl.aclrtMalloc(ctypes.byref(address), ctypes.c_size_t(max(tensor.nbytes, 1)), 0) == OK
        self._copy(address, ctypes.c_void_p(tensor.data_ptr()), tensor.nbytes, 1)
        return address

    def copy_out(self, address: ctypes.c_void_p, tensor: torch.Tensor) -> None:
        """The bytes back, and the memory freed."""
        self._copy(ctypes.c_void_p(tensor.data_ptr()), address, tensor.nbytes, 2)
        assert self._acl.aclrtFree(address) == OK

    def _copy(self, to: ctypes.c_void_p, source: ctypes.c_void_p, count: int, kind: int) -> None:
        size = ctypes.c_size_t(count)
        assert count == 0 or self._acl.aclrtMemcpy(to, size, source, size, kind) == OK

    def synchronize(self) -> None:
        """Waits for the kernels; fails with the report when one was refused."""
        status = self._acl.aclrtSynchronizeStream(None)
        self._acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
        assert status == OK, self._acl.aclGetRecentErrMsg().decode()


def used(operator: Operator) -> list[int]:
    """The inputs that the computation reads; others only give sizes."""
    read = {v.name for v in operator.values if v.op == "input"}
    return [index for index, param in enumerate(operator.inputs) if param.name in read]


def shim(text: str, operator: Operator) -> str:
    """A C function that takes the sizes and attributes as the wrapper in `text` has them, and launches with its tiling."""
    tiling = re.search(r"\w+Tiling\{.*?\}(?=\);)", text).group()
    launch = f"{operator.name.lower()}_launch"
    count = len(used(operator)) + len(operator.outputs) + len(schedule(operator).temporaries)
    tensors = [f"p{i}" for i in range(count)]
    parameters = [f"uint8_t* {p}" for p in tensors] + [f"int64_t {s}" for s in operator.symbols]
    parameters += [f"{'double' if a.dtype.floating else 'int64_t'} {a.name}" for a in operator.attrs]
    return (
        f'#include <algorithm>\n#include <cmath>\n#include "{operator.name.lower()}_tiling.h"\n'
        f'extern "C" void run_{operator.name}({", ".join(parameters)}) {{ {launch}(nullptr, {", ".join(tensors)}, {tiling}); }}\n'
    )


def build(directory: Path, texts: list[str]) -> Path:
    """The kernels of operators, one each text, compiled by bisheng into one library."""
    sources = []
    for text in texts:
        program = load(Source("case.idl", text))
        for name, text in generate(program, "ascendc").items():
            (directory / name).write_text(text)
        name = program.operators[0].name
        (directory / f"{name}_shim.cpp").write_text(
            shim((directory / f"{name.lower()}_torch.cpp").read_text(), program.operators[0])
        )
        sources += [f"{name.lower()}.asc", f"{name}_shim.cpp"]
    command = [
        f"{prefix()}/bin/bisheng",
        "-shared",
        "-fPIC",
        "-O2",
        "-Wall",
        "-Werror",
        "--npu-arch=dav-2201",
        *sources,
    ]
    command += ["-o", "libcases.so", f"-L{prefix()}/lib64", "-lascendcl"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-6000:]
    return directory / "libcases.so"


def run(
    acl: Acl, library: ctypes.CDLL, text: str, inputs: list[torch.Tensor], attrs: dict[str, float]
) -> list[torch.Tensor]:
    """The outputs of an operator's kernels."""
    operator = load(Source("case.idl", text)).operators[0]
    sizes: dict[str, int] = {}
    for binding in operator.bindings:
        size = inputs[binding.operand].shape[binding.axis]
        zero, one = (int(binding.size.evaluate({**sizes, binding.symbol: value})) for value in (0, 1))
        sizes[binding.symbol] = (size - zero) // (one - zero)
    shapes = [(p.shape, p.dtype) for p in operator.outputs] + [
        (v.shape, v.dtype) for v in schedule(operator).temporaries
    ]
    others = [
        torch.full([int(d.evaluate(sizes)) for d in shape], 77).to(getattr(torch, dtype.name.lower()))
        for shape, dtype in shapes
    ]
    tensors = [*(inputs[index] for index in used(operator)), *others]
    addresses = [acl.copy_in(t) for t in tensors]
    values: list = [ctypes.c_int64(sizes[s]) for s in operator.symbols]
    for attr in operator.attrs:
        value = attrs.get(attr.name, attr.default)
        values.append(ctypes.c_double(value) if attr.dtype.floating else ctypes.c_int64(int(value)))
    getattr(library, f"run_{operator.name}")(*addresses, *values)
    acl.synchronize()
    for address, tensor in zip(addresses, tensors):
        acl.copy_out(address, tensor)
    return others[: len(operator.outputs)]


if __name__ == "__main__":
    kernels, runtime = ctypes.CDLL(sys.argv[1]), Acl()
    for case in COMMON:
        for sizes in case.sizes:
            tensors = [t.contiguous() for t in case.inputs(*sizes)]
            check(case, run(runtime, kernels, case.text, [t.clone() for t in tensors], case.attrs), tensors)
    print("done")
