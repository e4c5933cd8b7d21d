"""Custom instruction libraries written by hand with pto/insn.hpp: what they can do, and each way they can be wrong."""

from __future__ import annotations

import shutil
import subprocess
import sys

import numpy as np
import pypto
import pytest
from toprope.env import prefix

HEAD = """
#include <algorithm>
#include <pto/insn.hpp>
#include <stdexcept>
namespace {
"""
TAIL = """
const pto::Library library = {%(abi)s, "tests", insns, %(count)s};
}
extern "C" PTO_API const pto::Library* pto_insn_library() { return &library; }
"""

#: y = exp(x) * scale + x, a block at a time, and a matrix product whose result is reduced.
GOOD = """
void scaled(const pto::Call& call) {
  const int64_t n = call.operands[0].elements;
  const float scale = pto::constant<float>(call.attributes[0]);
  for (int64_t i = 0; i < n; i += 256) {
    float t[256];
    const int64_t here = std::min<int64_t>(256, n - i);
    pto::unary(pto::Unary::Exp, t, call.in<float>(0) + i, here);
    pto::binary(pto::Binary::Mul, t, t, &scale, here, pto::Spread::Second);
    pto::binary(pto::Binary::Add, call.out<float>(1) + i, t, call.in<float>(0) + i, here);
  }
}
void widths(const pto::Call& call) {
  if (call.symbols[0] == 13) throw std::runtime_error("thirteen rows bring bad luck");
  const pto::float16* x = call.in<pto::float16>(0);
  float* y = call.out<float>(1);
  pto::cast(y, x, call.operands[0].elements);
  pto::cast(y + call.operands[0].elements, x, call.operands[0].elements);
}
const pto::Operand scaled_operands[] = {{"x", PTO_IN, pto::one(PTO_FLOAT32), "T", "[...]"},
                                        {"y", PTO_OUT, pto::one(PTO_FLOAT32), "T", "[...]"}};
const pto::Attribute scaled_attributes[] = {{"scale", PTO_ATTRIBUTE_SCALAR, "", "T", true, 2.0}};
const pto::Operand widths_operands[] = {{"x", PTO_IN, pto::one(PTO_FLOAT16), "", "[M, N]"},
                                        {"y", PTO_OUT, pto::one(PTO_FLOAT32), "", "[2 * M, N]"}};
const pto::Insn insns[] = {
    {"ScaledExp%(n)s", "y = exp(x) * scale + x", scaled_operands, 2, scaled_attributes, 1, "", pto::kElementwise, scaled},
    {"Twice%(n)s", "y = x over x", widths_operands, 2, nullptr, 0, "M N", 0, widths}};
"""


def build(directory, name: str, body: str, abi: str = "PTO_INSN_ABI", count: int = 2, raw: bool = False):
    """The library, compiled with the one line that the documents give."""
    source = directory / f"{name}.cpp"
    source.write_text(body if raw else HEAD + body + TAIL % {"abi": abi, "count": count})
    latest = prefix() / "ascend-toolkit" / "latest"
    home = latest if latest.exists() else prefix()
    command = ["g++", "-shared", "-fPIC", "-o", f"{name}.so", source.name, f"-I{home}/include", f"-L{home}/lib64"]
    done = subprocess.run([*command, "-lpto", "-lpypto"], cwd=directory, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return directory / f"{name}.so"


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    return tmp_path_factory.mktemp("libraries")


@pytest.fixture(scope="module")
def good(directory):
    return build(directory, "good", GOOD % {"n": ""})


@pytest.fixture(autouse=True)
def initialised():
    pypto.init()


def test_what_a_library_can_do(good):
    assert pypto.load_custom_insn(good) == 2
    assert pypto.load_custom_insn(str(good)) == 2  # again: nothing happens
    assert pypto.list_insns().count("ScaledExp") == 1
    insn = pypto.load_insn("ScaledExp")
    assert insn.insn_id >= 0x8001 and insn.summary == "y = exp(x) * scale + x"
    x = np.linspace(-2, 2, 1000, dtype=np.float32)
    np.testing.assert_allclose(insn(x).numpy(), np.exp(x) * 2 + x, rtol=1e-6, atol=1e-6)
    out = insn(x, x.copy(), scale=3)
    np.testing.assert_allclose(out, np.exp(x) * 3 + x, rtol=1e-6, atol=1e-6)
    twice = pypto.load_insn("Twice")
    h = np.arange(6, dtype=np.float16).reshape(2, 3)
    assert twice(h).numpy().tolist() == [[0, 1, 2], [3, 4, 5]] * 2
    with pytest.raises(
        pypto.ShapeError, match=r"operand 1 \(y\) has shape \[5, 3\]; expected \[2 \* M, N\] with M = 2"
    ):
        twice(h, np.zeros((5, 3), np.float32))
    with pytest.raises(pypto.ExecutionError, match="thirteen rows bring bad luck"):
        twice(np.zeros((13, 1), np.float16))


def test_before_and_after_init(good):
    script = f"""
import numpy as np, pypto
pypto.load_custom_insn({str(good)!r})
pypto.init()
assert pypto.load_insn("ScaledExp")(np.zeros(3, np.float32)).numpy().tolist() == [2, 2, 2]
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_name_that_is_taken(good, directory):
    pypto.load_custom_insn(good)
    before = pypto.list_insns()
    copy = directory / "copy.so"
    shutil.copy(good, copy)
    with pytest.raises(pypto.LibraryError, match="defines the instruction ScaledExp, which is already there .*good.so"):
        pypto.load_custom_insn(copy)
    assert pypto.list_insns() == before
    builtin = build(directory, "builtin", (GOOD % {"n": "2"}).replace("ScaledExp2", "add"))
    with pytest.raises(pypto.LibraryError, match=r"the instruction add, which is already there \(built in\)"):
        pypto.load_custom_insn(builtin)
    assert "Twice2" not in pypto.list_insns()


def test_files_that_are_no_library(directory):
    with pytest.raises(pypto.LibraryError, match="missing.so: No such file or directory"):
        pypto.load_custom_insn(directory / "missing.so")
    with pytest.raises(ImportError, match="is not a file"):
        pypto.load_custom_insn(directory)
    (directory / "text.so").write_text("no library")
    with pytest.raises(pypto.LibraryError, match="text.so cannot be loaded"):
        pypto.load_custom_insn(directory / "text.so")
    plain = build(directory, "plain", "int x;\n", raw=True)
    with pytest.raises(pypto.LibraryError, match="has no symbol pto_insn_library .*pto.codegen"):
        pypto.load_custom_insn(plain)


def test_libraries_that_declare_nonsense(directory):
    old = build(directory, "old", GOOD % {"n": "3"}, abi="99")
    with pytest.raises(pypto.LibraryError, match="built against version 99 .*this is version 1"):
        pypto.load_custom_insn(old)
    empty = build(directory, "empty", GOOD % {"n": "4"}, count=0)
    with pytest.raises(pypto.LibraryError, match="has no instructions"):
        pypto.load_custom_insn(empty)
    for number, (old_text, new_text, message) in enumerate(
        [
            (
                '"[2 * M, N]"',
                '"[2 * M, N"',
                r"instruction Twice10: shape \"\[2 \* M, N\": expected '\]' at position 10",
            ),
            ('"M N", 0', '"M", 0', "operand x uses the shape symbol N, which is not declared"),
            ("0, widths}", "0, nullptr}", "its function is null"),
            ('PTO_OUT, pto::one(PTO_FLOAT32), ""', 'PTO_IN, pto::one(PTO_FLOAT32), ""', "it has no output"),
            ("pto::one(PTO_FLOAT16)", "0", "operand x has no valid set of element types"),
        ],
        10,
    ):
        text = GOOD % {"n": number}
        assert old_text in text
        with pytest.raises(pypto.LibraryError, match=message.replace("Twice10", f"Twice{number}")):
            pypto.load_custom_insn(build(directory, f"bad{number}", text.replace(old_text, new_text)))
