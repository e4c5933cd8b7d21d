"""Each mistake is reported where it is (line, column, caret), with what was expected and the cure."""

from __future__ import annotations

import pytest
from pto.idl import IdlErrors, Source, load


def operator(computation: str = "y = x;", inputs: str = "", outputs: str = "", attrs: str = "") -> str:
    """An operator with x [M, N], h (FLOAT16), i (INT32), b (BOOL) [N], s [M, M] and y [M, N]."""
    return f"""package a.b;
operator Op {{
  input {{
    Tensor x, FLOAT32 [M, N];
    Tensor h, FLOAT16 [M, N];
    Tensor i, INT32 [M, N];
    Tensor b, BOOL [N];
    Tensor s, FLOAT32 [M, M];
    {inputs}
  }}
  output {{ Tensor y, FLOAT32 [M, N]; {outputs} }}
  attr {{ {attrs} }}
  computation {{
    {computation}
  }}
}}
"""


#: Text with «…» around what the caret and the ~ stand under → a part of the message, a part of the cure.
CASES = {
    # the lexer
    "character": (operator("y = x «$» 2;"), "character '$' has no meaning", "expected a name"),
    "control character": (operator("y = x «\x01» 2;"), "character U+0001", "expected a name"),
    "letter beyond ASCII": (operator("y = «é»;"), "character 'é' has no meaning", ""),
    "comment without end": (operator("y = x; «/*» y"), "has no end", "close it with '*/'"),
    "suffix on a number": (operator("y = x * «1.5f»;"), "'1.5f' is no number: found 'f'", "0.5 or 1e-5"),
    "long name": (operator(f"«{'v' * 129}» = x;"), "a name of 129 characters; 128 are allowed", ""),
    # the grammar
    "empty file": ("// nothing\n«»", "expected 'operator', found the end of the file", "one operator or more"),
    "word at the top": ("«opreator» X {}", "expected 'package' or 'operator', found 'opreator'", "'operator'"),
    "package twice": ("package a;\n«package» b;", "named once", ""),
    "package without name": ("package «;»", "expected the package's name, found ';'", ""),
    "package without semicolon": ("package a.b«»\noperator X {}", "expected ';' after the package's name", ""),
    "no brace": ("operator X «input» {}", "expected '{' after the operator's name, found 'input'", ""),
    "operator without end": ("operator X «{» input { Tensor x, FLOAT32 [M]; }", "operator 'X' has no end", "'}'"),
    "block without end": ("operator X { input «{» Tensor x, FLOAT32 [M];", "the input block has no end", "'}'"),
    "block's name": ("operator X { «inputs» { } }", "expected 'input', 'output', 'attr' or 'computation'", "'input'"),
    "block twice": ("operator X { attr { } «attr» { } }", "has a second attr block", "put both into one"),
    "no input": ("operator «X» { output { Tensor y, FLOAT32 [M]; } }", "'X' has no input block", ""),
    "empty computation": (
        "operator X { input { Tensor x, INT8 [M]; } output { Tensor y, INT8 [M]; } computation { } «}»",
        "'X' has an empty computation block",
        "",
    ),
    "no Tensor": (operator(inputs="«tensor» z, FLOAT32 [M];"), "expected 'Tensor', found 'tensor'", "'Tensor'"),
    "no separator": (operator(inputs="Tensor z «FLOAT32» [M];"), "expected ',' after the tensor's name", ""),
    "no shape": (operator(inputs="Tensor z, FLOAT32«;»"), "expected '[' after the element type, found ';'", ""),
    "shape without end": (operator(inputs="Tensor z, FLOAT32 [M, N«;»"), "expected ']' after the sizes", ""),
    "angle without end": (operator(inputs="Tensor<z, FLOAT32 «[»M];"), "expected '>' after the element type", ""),
    "no semicolon": (operator("t = x«»\n    y = t;"), "expected ';' after the expression, found 'y'", ""),
    "no equals sign": (operator("y «x»;"), "expected '=' after 'y', found 'x'", ""),
    "no expression": (operator("y = «;»"), "expected an expression, found ';'", "starts with a name"),
    "no operand": (operator("y = x + «)»;"), "expected an expression, found ')'", ""),
    "parenthesis": (operator("y = (x + 1«;»"), "expected ')' to close the parenthesis, found ';'", ""),
    "argument": (operator("y = max(x «2»);"), "expected ',' or ')' after the argument", ""),
    "chained comparison": (operator("y = 0 < x «<» 1;"), "comparisons do not chain", "where"),
    "nesting": (operator("y = " + "(" * 80 + "«x»" + ")" * 60 + ";"), "more than 80 operations deep", "statements"),
    "axis": (operator("y = sum(x, axis=-«N»);"), "expected an axis", "axis=N"),
    # declarations
    "element type": (operator(inputs="Tensor z, «FLOTA32» [M];"), "'FLOTA32' is no element type", "'FLOAT32'"),
    "element type, no idea": (operator(inputs="Tensor z, «complex» [M];"), "'complex' is no", "expected FLOAT32,"),
    "attribute's type": (operator(attrs="«FLOAT16» a = 1;"), "an attribute cannot be FLOAT16", ""),
    "name twice": (operator(inputs="Tensor «x», FLOAT32 [M];"), "'x' is already an input, see line 4", "another name"),
    "name of a function": (operator(inputs="Tensor «max», FLOAT32 [M];"), "'max' is a word of the language", "max_"),
    "tensor as a size": (operator(inputs="Tensor z, FLOAT32 [«x»];"), "'x' is an input, not a size", ""),
    "size of an output only": (operator(outputs="Tensor z, FLOAT32 [M, «K»];"), "'K' is a size of an output", ""),
    "size that nothing gives": (operator(inputs="Tensor z, FLOAT32 [«P»*Q];"), "value of 'P' cannot be found", "alone"),
    "size 0": (operator(inputs="Tensor z, FLOAT32 [«0»];"), "the size is 0; expected a whole number from 1", ""),
    "size that is never positive": (operator(inputs="Tensor z, FLOAT32 [«-M»];"), "-M is never positive", ""),
    "fraction as a size": (operator(inputs="Tensor z, FLOAT32 [«1.5»];"), "1.5 is no size", "whole number"),
    "half a constant": (operator(inputs="Tensor z, FLOAT32 [«5/2»];"), "the size is 5/2", ""),
    "division by a size": (operator(inputs="Tensor z, FLOAT32 [M/«N»];"), "positive whole numbers only, not by N", ""),
    "division by 0": (operator(inputs="Tensor z, FLOAT32 [M/«0»];"), "positive whole numbers only, not by 0", ""),
    "function in a size": (operator(inputs="Tensor z, FLOAT32 [«max(M, N)»];"), "no meaning in a size", "+ - * /"),
    "huge size": (operator(inputs="Tensor z, FLOAT32 [«M*M*M*M*M*M*M*M*M»];"), "expression is too large", ""),
    "many sizes": (operator(inputs="Tensor z, FLOAT32 «[M,M,M,M,M,M,M,M,M]»;"), "a shape of 9 sizes; 8 are", ""),
    "default that is no constant": (operator(attrs="FLOAT32 a = «N»;"), "expected a constant", ""),
    "fraction for an integer": (operator(attrs="INT32 a = «0.5»;"), "0.5 does not go into INT32", ""),
    "default out of range": (operator(attrs="INT32 a = «3000000000»;"), "outside INT32, which goes from", ""),
    "default beyond a double": (operator(attrs="INT64 a = «9007199254740993»;"), "is beyond 2^53", "pass the value"),
    "default by division by 0": (operator(attrs="FLOAT32 a = «1/0»;"), "div of 1, 0 is no finite number", ""),
    "operators of one name": (
        operator().replace("operator Op", "operator oP") + operator().split(";", 1)[1].replace("Op", "«Op»"),
        "operator 'Op' and operator 'oP' would write the same file",
        "",
    ),
    # names in a computation
    "unknown name": (operator("y = «xx»;"), "'xx' is not known here", "did you mean 'x'?"),
    "unknown name, no idea": (operator("y = «quux»;"), "'quux' is not known here", "known are x, h, i, b, s, M and N"),
    "unknown function": (operator("y = «sqr»(x);"), "'sqr' is no function", "did you mean 'sqrt'?"),
    "tensor as a function": (operator("y = «x»(1);"), "'x' is no function", ""),
    "input assigned": (operator("«x» = y;"), "'x' is an input and cannot be assigned, see line 4", "output"),
    "size assigned": (operator("«M» = x;"), "'M' is a size and cannot be assigned", "output"),
    "function assigned": (operator("«max» = x;"), "'max' is a word of the language", ""),
    "assigned twice": (operator("y = x;\n    «y» = x + 1;"), "'y' was assigned before, see line 14", "another name"),
    "read before": (operator("t = «y» + 1;\n    y = x;"), "'y' is read before it is assigned", ""),
    "read by itself": (operator("t = «t» + 1;\n    y = x;"), "'t' is read before it is assigned", ""),
    "output never assigned": (operator("y = x;", outputs="Tensor «z», INT8 [M];"), "'z' is never assigned", "z = …;"),
    # element types
    "mixed element types": (operator("y = «x + h»;"), "a + b of FLOAT32 and FLOAT16: the element types differ", "cast"),
    "float function of integers": (operator("y = exp(«i»);"), "exp(x) does not take INT32", "expected FLOAT32, FLOAT16"),
    "quotient of integers": (operator("y = «i» / 2;"), "a / b does not take INT32", ""),
    "fraction with integers": (operator("y = cast(i * «0.5», FLOAT32);"), "0.5 does not go into INT32", ""),
    "large number with integers": (operator("y = cast(i + «9999999999», FLOAT32);"), "is outside INT32", ""),
    "number beyond half": (operator("y = cast(h * «1e6», FLOAT32);"), "beyond FLOAT16, whose largest value is 65504", ""),
    "arithmetic with BOOL": (operator("y = cast(«b» + 1, FLOAT32);"), "a + b does not take BOOL", ""),
    "condition": (operator("y = where(«x», x, x);"), "the condition of where is BOOL; this is FLOAT32", "x > 0"),
    "condition, a number": (operator("y = where(«1», x, x);"), "this is a single number", ""),
    "where of numbers": (operator("y = «where(b, 1, 0)»;"), "where of two numbers has no element type", "cast("),
    "result's element type": (operator("y = «h»;"), "'y' is FLOAT32; the expression is FLOAT16", "cast(…, FLOAT32)"),
    "comparison of numbers": (operator("t = «1 < 2»;\n    y = x;"), "a comparison of two numbers", ""),
    "number as a result": (operator("y = «1.0»;"), "'y' is a tensor of shape [M, N]; the expression is a single", ""),
    "number too large": (operator("y = x * «99999999999999999999»;"), "does not fit 64 bits", ""),
    "logarithm of 0": (operator("y = x * «log(0)»;"), "log of 0 is no finite number", ""),
    "cast to what": (operator("y = cast(x, «FLOAT8»);"), "expected an element type, found 'FLOAT8'", "'FLOAT"),
    "cast how": (operator("y = cast(h, FLOAT32, «rintt»);"), "expected a rounding mode, found 'rintt'", "'rint'"),
    "cast a number": (operator("y = cast(«1», FLOAT32);"), "'cast' takes a tensor; this is a single number", ""),
    # shapes
    "broadcast": (operator("y = «x + s»;"), "[M, N] and [M, M] do not broadcast: N and M differ", "equal, or 1"),
    "result's shape": (operator("y = «s»;"), "'y' has shape [M, N]; the expression has [M, M]", ""),
    "axis of another tensor": (operator("y = x - sum(s, «N»);"), "is no axis", "M"),
    "axis, nearly": (operator("y = x * sum(x, «K»);"), "'K' is no axis of the tensor of shape [M, N]", "M and N"),
    "two axes of one name": (operator("y = x * sum(s, «M»);"), "shape [M, M] has 2 axes M", "axis=0"),
    "axis by a bare number": (operator("y = x * sum(x, «1»);"), "expected an axis: the name of a size", "axis=1"),
    "axis out of range": (operator("y = x * sum(x, «axis=2»);"), "axis 2 of shape [M, N], which has 2 axes", ""),
    "mean of integers": (operator("y = x + cast(mean(«i», N), FLOAT32);"), "mean(x, N) does not take INT32", ""),
    "reduction of a number": (operator("y = x * sum(«3»);"), "'sum' takes a tensor; this is a single number", ""),
    "arguments": (operator("y = «exp(x, x)»;"), "'exp' takes 1 argument, 2 given", "write exp(x)"),
    "no arguments": (operator("y = «sum()»;"), "'sum' takes a tensor, nothing given", "write sum(x, N)"),
    "shape as a value": (operator("y = exp(«[M]»);"), "expected a value, found a shape", ""),
    "product of columns and rows": (operator("y = «x @ x»;"), "N columns meet M rows", "the last size of a"),
    "product with a number": (operator("y = x @ «2»;"), "this is a single number", "write *"),
    "product of integers": (operator("y = «i» @ i;"), "a @ b does not take INT32", ""),
    "product of vectors": (operator("y = x @ «v»;", "Tensor v, FLOAT32 [N];"), "shape [N]", ""),
    "reshape": (operator("y = «reshape(x, [M, M])»;"), "[M, N] has M*N elements, [M, M] has M*M", ""),
    "reshape to an unknown size": (operator("y = reshape(x, [«K»]);"), "'K' is no size of this operator", "M"),
    "reshape without brackets": (operator("y = reshape(x, «M»);"), "expected a shape in brackets", ""),
    "transpose of a vector": (operator("y = transpose(«v»);", "Tensor v, FLOAT32 [N];"), "has shape [N]", ""),
    "transpose of some axes": (operator("y = «transpose(x, N)»;"), "names each of the 2 axes of [M, N] once", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_error(case):
    text, message, cure = case
    start, end = text.index("«"), text.index("»") - 1
    text = text.replace("«", "").replace("»", "")
    line, column = text[:start].count("\n") + 1, start - (text[:start].rfind("\n") + 1) + 1
    with pytest.raises(IdlErrors) as caught:
        load(Source("op.idl", text))
    first = caught.value.errors[0]
    head, shown, caret, *rest = str(first).split("\n")
    assert head.startswith(f"op.idl:{line}:{column}: error: "), str(caught.value)
    assert message in head
    written = text.split("\n")[line - 1]
    assert shown == "    " + "".join(c if c.isprintable() else " " for c in written)
    assert caret == "    " + " " * (column - 1) + "^" + "~" * (max(1, end - start) - 1)
    assert cure in "\n".join(rest)
    assert (rest == []) == (first.cure == "")


def test_every_mistake_is_reported_in_order():
    with pytest.raises(IdlErrors) as caught:
        load(Source("op.idl", operator("p = exp(i);\n    q = p + 1;\n    r = x + h;\n    y = zz;")))
    assert [error.message for error in caught.value.errors] == [
        "exp(x) does not take INT32",
        "a + b of FLOAT32 and FLOAT16: the element types differ",
        "'zz' is not known here",
    ]


def test_tabs_and_long_lines_keep_the_caret_in_place():
    source = Source("t.idl", "\tab\n" + "x" * 500)
    assert source.excerpt(source_span(2, 3)) == "    \tab\n    \t ^"
    shown, caret = source.excerpt(source_span(4 + 300, 4 + 302)).split("\n")
    assert len(shown) <= 4 + 160 and caret.endswith("^~")


def source_span(start: int, end: int):
    from pto.idl.source import Span

    return Span(start, end)


def test_bytes_that_are_no_text(tmp_path):
    path = tmp_path / "bad.idl"
    path.write_bytes("package ä;\nopera".encode() + b"\xfftor")
    with pytest.raises(IdlErrors, match=r"bad.idl:2:6: error: byte 0xff is not UTF-8"):
        Source.read(path)
