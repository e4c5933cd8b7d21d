"""Writes the acl status codes from spec/acl_errors.tsv: `python3 spec/generate_acl_errors.py`.

include/acl/error_codes/acl_error_codes.h  constants of acl_base_rt.h
include/acl/error_codes/rt_error_codes.h   macros of the runtime layer
src/runtime/error_names.inc                value → name, for messages
"""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOTE = "// Generated from spec/acl_errors.tsv by spec/generate_acl_errors.py. Do not edit.\n"


def rows(text):
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            value, name, kind = line.split("\t")
            yield int(value), name, kind


def constants(table):
    body = "".join(f"static const int {name} = {value};\n" for value, name, kind in table if kind == "const")
    return NOTE + "#pragma once\n\n" + body


def macros(table):
    # The guard is the public one: a program may meet this header and torch_npu's copy in one translation unit.
    body = "".join(f"#define {name} {value}\n" for value, name, kind in table if kind == "define")
    guard = "__INC_EXTERNEL_RT_ERROR_CODES_H__"
    return NOTE + f"#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n"


def names(table):
    seen, out = set(), [NOTE]
    for value, name, _ in sorted(table, key=lambda r: r[0]):
        if value not in seen:
            seen.add(value)
            out.append(f'{{{value}, "{name}"}},\n')
    return "".join(out)


def generate(text):
    """File (relative to the root) → content."""
    table = list(rows(text))
    return {
        "include/acl/error_codes/acl_error_codes.h": constants(table),
        "include/acl/error_codes/rt_error_codes.h": macros(table),
        "src/runtime/error_names.inc": names(table),
    }


if __name__ == "__main__":
    for path, content in generate((ROOT / "spec/acl_errors.tsv").read_text()).items():
        target = ROOT / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)
