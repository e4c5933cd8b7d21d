"""The front end's headers as text: they compile without a warning, and none of their functions stands between the user's
line and the library."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).resolve().parents[2] / "include"

USES = """
#include "kernel_operator.h"
#include "acl/acl.h"
using namespace AscendC;
void kernel(const LocalTensor<half>& a, const LocalTensor<float>& b, const GlobalTensor<float>& g) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> queue;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(queue, 2, 64);
  pipe.InitBuffer(buffer, 64);
  queue.EnQue(queue.AllocTensor<float>());
  queue.FreeTensor(queue.DeQue<float>());
  BrcbRepeatParams brcb(1, 8);
  Brcb(a, a, 1, brcb);
  Add(b, b, b, 8, 1, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
  Cast(a, b, RoundMode::CAST_RINT, 8, 1, UnaryRepeatParams(1, 1, 8, 4));
  Copy(a, a, 8, 1, CopyRepeatParams(1, 1, 8, 8));
  DataCopyPad(b, g, DataCopyExtParams(1, 4, 0, 0, 0), DataCopyPadExtParams<float>(true, 0, 7, 0));
  printf("%f", b.GetValue(0));
}
"""


@pytest.mark.parametrize("standard", ["c++17", "c++20"])
@pytest.mark.parametrize("optimisation", ["-O0", "-O2"])
def test_no_warning(tmp_path, standard, optimisation):
    """facts C12: every form compiles where the vendor's does; tests/isa and tests/front call each."""
    source = tmp_path / "uses.cpp"
    source.write_text(USES)
    flags = ["-Wall", "-Wextra", "-Wpedantic", "-Wreorder", "-Wshadow=compatible-local", "-Werror"]
    done = subprocess.run(
        ["g++", f"-std={standard}", optimisation, *flags, "-c", source, "-o", "/dev/null"]
        + [f"-I{INCLUDE}", f"-I{INCLUDE / 'ascendc'}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def without_comments(text: str) -> str:
    """Line breaks stay, so that positions tell lines."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def library_functions() -> set[str]:
    """What include/toprope declares and does not define: the library's entries."""
    names = set()
    for header in (INCLUDE / "toprope").rglob("*.h"):
        if "driver" in header.parts:
            continue
        text = without_comments(header.read_text())
        names |= set(re.findall(r"^(?:\[\[noreturn\]\] )?[\w:<>*& ]+[ *&](\w+)\([^{}]*?\)(?: noexcept)?;", text, re.M))
    return names


def functions_that_call(text: str, names: set[str]):
    """(line, head, name) of each call of one of `names` in `text`; `head` is what precedes the function's body."""
    text = without_comments(text).replace("{}", "  ")  # default arguments are no scopes
    # A macro has no frame: it is the user's own line that calls.
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.M)
    calls = {m.start(): m.group(1) for m in re.finditer(r"\btoprope::(?:isa::)?(\w+)\(", text) if m.group(1) in names}
    scopes, last = [], 0  # the heads of the braces that are open
    for at, character in enumerate(text):
        if at in calls:
            body = next(
                h for h in scopes if not re.search(r"\b(namespace|class|struct|enum|extern)\b(?!.*\()", h, re.S)
            )
            yield text.count("\n", 0, at) + 1, body, calls[at]
        if character == "{":
            scopes.append(text[last:at])
        elif character == "}":
            scopes.pop()
        if character in "{};":
            last = at + 1


#: They take no place in the user's source: nothing to report.
PLACELESS = {"core", "host", "close_pipe", "assertion_failed", "keep", "key_of"} | {
    "set_host_chip",
    "clear_tile_memories",
    "tile_address",
}


def test_the_users_line_is_the_caller_of_the_library():
    """A wrapper with a frame of its own would be the place that a report names; compilers inline others as they like."""
    names = library_functions() - PLACELESS
    assert {"binary", "copy_pad", "alloc_tensor", "set_flag", "checked_scalar_access", "check_tensor"} <= names
    found, wrong = 0, []
    for header in sorted(INCLUDE.rglob("*.h*")):
        relative = header.relative_to(INCLUDE)
        if relative.parts[0] not in ("ascendc", "pto", "toprope") or "driver" in relative.parts:
            continue
        for line, head, name in functions_that_call(header.read_text(), names):
            found += 1
            if "always_inline" not in head and "PTO_INST" not in head:  # what PTO_INST stands for
                wrong.append(f"{relative}:{line} calls {name}")
    assert found > 100
    assert not wrong, "\n".join(wrong)
