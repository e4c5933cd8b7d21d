"""Every form of the vector functions takes every element type that its page names for this chip, and tensors of traits
where the pages name them. The types lie in spec/vector_types.tsv."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

#: Names whose forms are: whole tensors or `count` elements, and repeats under both kinds of mask.
TWO_SOURCES = "Add Div Max Min Mul Sub AddRelu SubRelu And Or FusedMulAdd MulAddRelu".split()
TWO_TYPES = "AddDeqRelu AddReluCast SubReluCast MulAddDst MulCast".split()
ONE_SOURCE = "Abs Exp Ln Reciprocal Relu Rsqrt Sqrt Not".split()
WITH_SCALAR = "Adds LeakyRelu Maxs Mins Muls ShiftLeft".split()


def forms(call: str, params: str, count: str = "n") -> str:
    """`call` without its closing bracket, with what follows in each of its three forms."""
    return f"{call}, {count}); {call}, bits, 1, {params}); {call}, lanes, 1, {params});"


#: What is called for a row of the table. t, s: tensors of the first and the second type; T, U: these types; P, Q: their
#: element types.
CALLS = {
    **{name: forms(f"{name}(t, t, t", "BinaryRepeatParams()") for name in TWO_SOURCES},
    **{name: forms(f"{name}(t, s, s", "BinaryRepeatParams()") for name in TWO_TYPES},
    **{name: forms(f"{name}(t, t", "UnaryRepeatParams()") for name in ONE_SOURCE},
    **{name: forms(f"{name}(t, t, P(2)", "UnaryRepeatParams()") for name in WITH_SCALAR},
    "AndOfAll": "And(t, t, t, n); t = t & t;",
    "OrOfAll": "Or(t, t, t, n); t = t | t;",
    "ShiftRight": "ShiftRight(t, t, P(2), n); ShiftRight(t, t, P(2), bits, 1, UnaryRepeatParams(), true);"
    "ShiftRight(t, t, P(2), lanes, 1, UnaryRepeatParams(), false);",
    "BilinearInterpolation": "BilinearInterpolation(t, t, u32, t, lanes, 1, false, 1, 8, 1, u8);"
    "BilinearInterpolation(t, t, u32, t, bits, 1, false, 1, 8, 1, u8);",
    "Axpy": forms("Axpy(t, s, Q(2)", "UnaryRepeatParams()"),
    "CastDequant": "CastDequant(t, s, un); CastDequant(t, s, bits, 1, UnaryRepeatParams());"
    "CastDequant(t, s, 8, 1, UnaryRepeatParams());",
    "ReduceDataBlock": "for_kinds(ReduceDataBlock);",
    "ReduceRepeat": "for_kinds(ReduceRepeat);",
    "ReducePairElem": "ReducePairElem<ReduceType::SUM>(t, t, 8, 1, 1, 1, 8);"
    "ReducePairElem<ReduceType::SUM>(t, t, bits, 1, 1, 1, 8);",
    "ReduceMax": "ReduceMax(t, t, t, n, true); ReduceMax(t, t, t, bits, 1, 8); ReduceMax(t, t, t, 8, 1, 8, true);",
    "ReduceMin": "ReduceMin(t, t, t, n, true); ReduceMin(t, t, t, bits, 1, 8); ReduceMin(t, t, t, 8, 1, 8, true);",
    "ReduceSum": "ReduceSum(t, t, t, n); ReduceSum(t, t, t, bits, 1, 8); ReduceSum(t, t, t, 8, 1, 8);",
    "GetReduceRepeatMaxMinSpr": "P a, b; GetReduceRepeatMaxMinSpr(a, b); GetReduceRepeatMaxMinSpr(a);",
    "GetReduceRepeatSumSpr": "(void)GetReduceRepeatSumSpr<P>();",
    "MrgSort": "MrgSort(t, MrgSortSrcList<T>(t, t, t, t), MrgSort4Info());",
    "Sort32": "Sort32(t, t, u32, 1);",
    "SetVectorMask": "SetVectorMask<P, MaskMode::NORMAL>(1, 2); SetVectorMask<P, MaskMode::COUNTER>(32);",
    "Brcb": "Brcb(t, t, 1, BrcbRepeatParams());",
    "CreateVecIndex": "CreateVecIndex(t, P(1), un); CreateVecIndex(t, P(1), bits, 1, 1, 8);"
    "CreateVecIndex(t, P(1), lanes, 1, 1, 8);",
    "Duplicate": "Duplicate(t, P(1), n); Duplicate(t, P(1), bits, 1, 1, 8); Duplicate(t, P(1), lanes, 1, 1, 8);",
    "TransDataTo5HD": "LocalTensor<T> list[16]; TransDataTo5HD<T>(list, list, TransDataTo5HDParams());"
    "uint64_t at[16]; TransDataTo5HD<P>(at, at, TransDataTo5HDParams());"
    "TransDataTo5HD<P>(u64, u64, TransDataTo5HDParams());",
    "Transpose": "Transpose(t, t);",
    "TransposeLayouts": "Transpose(t, t, u8, TransposeParamsExt());",
    "Copy": "Copy(t, t, bits, 1, CopyRepeatParams()); Copy(t, t, lanes, 1, CopyRepeatParams());",
    "DataCopyPad": "DataCopyPad(t, g, DataCopyExtParams(), DataCopyPadExtParams<P>());"
    "DataCopyPad(g, t, DataCopyExtParams()); DataCopyPad(t, g, DataCopyParams(), DataCopyPadParams());"
    "DataCopyPad(g, t, DataCopyParams());",
    "DataCopyNd2Nz": "DataCopy(t, g, Nd2NzParams());",
    "DataCopyNz2Nd": "DataCopy(g, t, Nz2NdParamsFull());",
    "DataCopySlice": "SliceInfo slices[1]; DataCopy(t, g, slices, slices, 1); DataCopy(g, t, slices, slices, 1);",
    "DataCopy": "DataCopy(t, g, un); DataCopy(g, t, un); DataCopy(t, t, un); DataCopy(t, g, DataCopyParams());"
    "DataCopy(g, t, DataCopyParams()); DataCopy(t, t, DataCopyParams());",
    "SetPadValue": "SetPadValue(P(1)); SetPadValue<P, TPosition::VECIN>(P(1));",
    "Compare": "Compare(s, t, t, CMPMODE::EQ, un); Compare(s, t, t, CMPMODE::EQ, bits, 1, BinaryRepeatParams());"
    "Compare(s, t, t, CMPMODE::EQ, lanes, 1, BinaryRepeatParams());",
    "Compares": "Compares(s, t, P(1), CMPMODE::EQ, un); Compares(s, t, P(1), CMPMODE::EQ, bits, 1, UnaryRepeatParams());"
    "Compares(s, t, P(1), CMPMODE::EQ, lanes, 1, UnaryRepeatParams());",
    "CompareToRegister": "Compare(t, t, CMPMODE::LT, bits, BinaryRepeatParams());"
    "Compare(t, t, CMPMODE::LT, lanes, BinaryRepeatParams());",
    "GatherMask": "uint64_t kept; GatherMask(t, t, s, true, 8, GatherMaskParams(), kept);"
    "GatherMask(t, t, uint8_t(1), true, 8, GatherMaskParams(), kept);",
    "GetCmpMask": "GetCmpMask(t);",
    "SetCmpMask": "SetCmpMask(t);",
    "Select": "Select(t, s, t, t, SELMODE::VSEL_CMPMASK_SPR, un); Select(t, s, t, P(1), SELMODE::VSEL_TENSOR_SCALAR_MODE, un);"
    "Select(t, s, t, t, SELMODE::VSEL_CMPMASK_SPR, bits, 1, BinaryRepeatParams());"
    "Select(t, s, t, P(1), SELMODE::VSEL_TENSOR_SCALAR_MODE, lanes, 1, BinaryRepeatParams());"
    "Select<T, SELMODE::VSEL_CMPMASK_SPR>(t, t, t, 1, BinaryRepeatParams());"
    "Select(t, s, t, 1, BinaryRepeatParams());",
    "Gather": "Gather(t, t, u32, 0u, un); Gather(t, t, u32, 0u, bits, 1, 8); Gather(t, t, u32, 0u, lanes, 1, 8);",
    "Gatherb": "Gatherb(t, t, u32, 1, GatherRepeatParams(1, 8));",
    "Cast": "Cast(t, s, RoundMode::CAST_NONE, un); Cast(t, s, RoundMode::CAST_NONE, bits, 1, UnaryRepeatParams());"
    "Cast(t, s, RoundMode::CAST_NONE, lanes, 1, UnaryRepeatParams());",
    "SetDeqScale": "VdeqInfo info; SetDeqScale(t, info); SetDeqScale(half(1)); SetDeqScale(1.0f, int16_t(1), true);",
}
#: Those whose pages show no form for tensors of traits.
WITHOUT_TRAITS = {"Axpy", "GetReduceRepeatMaxMinSpr", "GetReduceRepeatSumSpr", "SetVectorMask", "SetPadValue"}

HEAD = """
#include "kernel_operator.h"
using namespace AscendC;
#define for_kinds(name) \\
  name<ReduceType::SUM>(t, t, bits, 1, 1, 1, 8); name<ReduceType::MAX>(t, t, 8, 1, 1, 1, 8); \\
  name<ReduceType::MIN>(t, t, 8, 1, 1, 1, 8);
"""
FUNCTION = """void use_{number}() {{
  using T = {first}; using U = {second}; using P = PrimT<T>; using Q = PrimT<U>;
  LocalTensor<T> t; LocalTensor<U> s; GlobalTensor<T> g; LocalTensor<uint8_t> u8; LocalTensor<uint32_t> u32;
  LocalTensor<uint64_t> u64; uint64_t bits[2] = {{}}, lanes = 8; int32_t n = 8; uint32_t un = 8;
  (void)t, (void)s, (void)g, (void)u8, (void)u32, (void)u64, (void)bits, (void)lanes, (void)n, (void)un, (void)Q();
{calls}
}}
"""


def rows() -> list[tuple[str, str]]:
    lines = (ROOT / "spec" / "vector_types.tsv").read_text().splitlines()
    cells = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(name, types) for name, all_types in cells for types in all_types.split()]


def source_of(uses: list[tuple[str, str]], traits: bool) -> str:
    text = HEAD
    for number, (name, types) in enumerate(uses):
        kinds = [f"TensorTrait<{kind}>" if traits else kind for kind in types.split(":")]
        text += f'#line 1 "{name} of {types}"\n'
        text += FUNCTION.format(number=number, first=kinds[0], second=kinds[-1], calls="  " + CALLS[name])
    return text


def errors_of(tmp_path: Path, text: str) -> list[str]:
    source = tmp_path / "uses.cpp"
    source.write_text(text)
    include = ROOT / "include"
    command = [
        "g++",
        "-std=c++17",
        "-fsyntax-only",
        "-Wno-deprecated",
        source,
        f"-I{include}",
        f"-I{include / 'ascendc'}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [line for line in done.stderr.splitlines() if "error" in line or done.returncode and "required from" in line]


def test_every_name_of_the_table_is_called():
    assert set(CALLS) == {name for name, _ in rows()}


@pytest.mark.parametrize("traits", [False, True], ids=["plain", "traits"])
def test_documented_types_are_taken(tmp_path, traits):
    uses = [(name, types) for name, types in rows() if not (traits and name in WITHOUT_TRAITS)]
    assert errors_of(tmp_path, source_of(uses, traits)) == []


@pytest.mark.parametrize("use", [("Add", "uint32_t"), ("Cast", "int8_t:float"), ("Gatherb", "int64_t")])
def test_other_types_are_refused(tmp_path, use):
    """Also shows that a missing type would be seen."""
    assert errors_of(tmp_path, source_of([use], False))
