"""Writes docs/api_coverage.md: every API that the Ascend C documents tick for dav-2201, and whether our headers have it.

The documented names lie in spec/ascendc_api.tsv; `--documents CHECKOUT` reads them anew from a checkout of
mirror-cann/asc-devkit. `--check` writes nothing and fails when the page is not what it would write."""

from __future__ import annotations

import argparse
import html
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from common import ROOT
from declarations import declared_in

TABLE = ROOT / "spec" / "ascendc_api.tsv"
PAGE = ROOT / "docs" / "api_coverage.md"
INCLUDE = ROOT / "include"
HEAD = """# What the Ascend C documents tick for Atlas A2 (dav-2201), one name a line. `forms`: overloads on the page.
# source: mirror-cann/asc-devkit docs/zh/api; written by tools/api_coverage.py --documents CHECKOUT
# name\tforms\tgroup\tdocument
"""
#: The parts of docs/zh/api that kernels and their host code use, and what the page calls them.
PARTS = {
    "SIMD-API/基础API": "Basic API",
    "SIMD-API/高阶API": "High-level API",
    "SIMD-API/C-API": "C API",
    "Utils-API": "Utilities",
}
#: Directories of the documents in English.
GROUPS = {
    "Memory矢量计算": "vector computation", "资源管理": "resources", "数据结构": "tensors", "辅助数据结构": "structures",
    "同步控制": "synchronisation", "原子操作": "atomics", "工具接口": "system", "标量计算": "scalar computation",
    "特殊寄存器访问": "special registers", "缓存控制": "caches", "调试接口": "debugging", "Kernel-Tiling": "kernel tiling",
    "矩阵计算（ISASI）": "matrix computation", "Cube分组管理（ISASI）": "cube groups", "数学计算": "mathematics",
    "激活函数": "activations", "归一化操作": "normalisation", "量化操作": "quantisation", "归约操作": "reductions",
    "排序操作": "sorting", "索引计算": "indices", "数据过滤": "filters", "张量变换": "tensor transformation",
    "矩阵计算": "Matmul", "卷积计算": "convolution", "HCCL通信类": "communication", "随机函数": "random numbers",
    "CPP标准库": "standard library", "平台信息获取": "platform", "原型注册与管理": "operator definitions",
    "调测接口": "debugging", "Tiling数据结构注册": "tiling data", "Tiling模板编程": "tiling templates",
    "Tiling调测": "tiling tests", "Tiling下沉": "tiling on the device",
}  # fmt: skip
#: A type of ours that stands for both a mask in bits and a mask as a count.
BOTH_MASKS = r"\bMask\b"
ELEMENTS = r"(?:u?int(?:8|16|32|64)_t|int4b_t|half|float|double|bfloat16_t)"
#: Pages whose members' class is not the name of their directory.
OWNERS = {"SetFlag-WaitFlag.md": "TQueSync"}
#: Fewer forms than on the page, whose text says that this chip has no more.
OTHER_FORMS = {"TPipe::InitSpmBuffer": 1}
#: Classes whose members another one declares.
BASES = {"TQue": "TQueBind", "TBuf": "TQueBind", "TSCM": "TQueBind"}


def for_this_chip(text: str) -> str:
    """A page without the parts for other chips alone."""
    marker = re.compile(r'<!-- npu="([^"]*)" (id\w+) -->')
    while match := next((m for m in marker.finditer(text) if "910b" not in m.group(1).split(",")), None):
        end = re.search(rf"<!-- end {match.group(2)} -->", text[match.end() :])
        stop = match.end() + end.end() if end else match.end()
        before, after = text[: match.start()], text[stop:]
        if text[match.end() : stop].lstrip().startswith("仅"):  # what follows is for those chips alone
            before, after = before.rstrip(" "), after[rest_of_item(before, after) :]
        text = before + after
    return text


def rest_of_item(before: str, after: str) -> int:
    """How far the list item goes on in which a remark stands that ends `before`; 0 outside lists."""
    indent = len(before) - len(before.rstrip(" "))
    end = re.search(rf"^ {{0,{indent - 1}}}\S", after, re.M) if indent else None
    return end.start() if end else len(after) if indent else 0


def prototypes(page: str) -> dict[str, set[str]]:
    """The functions and macros of a page's prototypes, each with its parameter lists."""
    section = re.search(r"^## *(?:函数原型|定义原型|原型).*?$(.*?)(?=^## |\Z)", page, re.S | re.M)
    code = "\n".join(
        html.unescape(re.sub(r"<br\s*/?>", "\n", a or b))
        for a, b in re.findall(r"```[^\n]*\n(.*?)```|<pre[^>]*>(.*?)</pre>", section.group(1) if section else "", re.S)
    )
    code = re.sub(r"^\s*#define\s+(\w+)(\([^)]*\))?.*$", lambda m: f"void {m[1]}{m[2] or '()'};", code, flags=re.M)
    found = declared_in(code).parameters
    return {name: lists for name, lists in found.items() if not name.startswith("__")}


def form_of(name: str, parameters: str) -> str:
    """A parameter list for any element type: C functions have one for each, templates have one for all."""
    if not name.startswith("asc_") and not re.search(rf"\b(?:{ELEMENTS}|[A-Z])\*", parameters):
        return parameters
    return re.sub(rf"\b(?:{ELEMENTS}|[A-Z])\b", "T", parameters)


def ticked(text: str) -> bool:
    """Whether a page says that this chip has what it describes."""
    chips = re.search(r"^## *产品支持情况.*?(?=^## |\Z)", text, re.S | re.M)
    line = next((ln for ln in chips.group().splitlines() if "Atlas A2" in ln), "") if chips else ""
    return "√" in line or ("支持" in line and "不支持" not in line)


def document_rows(checkout: Path) -> list[tuple[str, int, str, str]]:
    """(name, forms, group, documents) of everything on pages that tick this chip. A form that several pages show
    counts once."""
    root = checkout / "docs" / "zh" / "api"
    forms: dict[tuple[str, str], set[str]] = defaultdict(set)
    documents: dict[tuple[str, str], list[str]] = defaultdict(list)
    for part, title in PARTS.items():
        for path in sorted((root / part).rglob("*.md")):
            text = path.read_text()
            if not ticked(text):
                continue
            relative = path.relative_to(root / part)
            group = GROUPS.get(relative.parts[0], relative.parts[0]) if len(relative.parts) > 1 else "general"
            owner = OWNERS.get(path.name, path.parent.name)
            if not re.fullmatch(r"[A-Z][A-Za-z0-9]+", owner):
                owner = ""
            for name, lists in prototypes(for_this_chip(text)).items():
                member = owner and owner != name and "::" not in name
                key = (f"{title}: {group}", f"{owner}::{name}" if member else name)
                forms[key] |= {form_of(name, parameters) for parameters in lists}
                documents[key].append(str(path.relative_to(root)))
    return [(name, len(lists), group, "; ".join(documents[group, name])) for (group, name), lists in forms.items()]


def read_table() -> list[tuple[str, int, str, str]]:
    lines = [ln.split("\t") for ln in TABLE.read_text().splitlines() if ln and not ln.startswith("#")]
    return [(name, int(forms), group, document) for name, forms, group, document in lines]


def our_text() -> tuple[str, str]:
    """All headers for users after the preprocessor, without those of the system; and their macros."""
    headers = [p for p in sorted(INCLUDE.rglob("*.h")) if p.relative_to(INCLUDE).parts[0] not in ("toprope", "pto")]
    source = "".join(f'#include "{p}"\n' for p in headers)
    command = ["g++", "-std=c++20", "-x", "c++", f"-I{INCLUDE}", f"-I{INCLUDE / 'ascendc'}", "-"]

    def run(*flags: str) -> str:
        done = subprocess.run([*command, *flags], input=source, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"the headers do not pass the preprocessor:\n{done.stderr[-2000:]}")
        return done.stdout

    kept, ours = [], False
    for line in run("-E").splitlines():
        if match := re.match(r'# \d+ "([^"]*)"', line):
            ours = match.group(1).startswith(str(INCLUDE))
        elif ours:
            kept.append(line)
    return "\n".join(kept), run("-E", "-dM")


class Ours:
    """What our headers declare."""

    def __init__(self) -> None:
        text, self.macro_text = our_text()
        self.macros = set(re.findall(r"^#define (\w+)", self.macro_text, re.M))
        self.declared = declared_in(text)
        self.used = set(re.findall(r"\busing std::(\w+)\s*;", text))

    def has_every(self, name: str, documented: int) -> bool | None:
        """Whether the headers have as many forms as the documents; None when they have none."""
        owner, _, last = name.rpartition("::")
        lists, types = self.declared.parameters, self.declared.types
        ours = lists.get(name) or lists.get(f"{BASES.get(owner, owner)}::{last}") or lists.get(last)
        if ours:
            forms = sum(2 if re.search(BOTH_MASKS, form) else 1 for form in {form_of(name, p) for p in ours})
            return forms >= OTHER_FORMS.get(name, documented)
        countless = (
            last in self.macros
            or (owner or last) in self.used  # all forms and members that the C++ library has
            or last in types
            or (owner in types and last == owner)  # a constructor that the compiler declares
            or re.search(rf"\b{re.escape(last)}\(", self.macro_text)  # what a macro puts into the user's class
        )
        return True if countless else None

    def answer(self, name: str, documented: int) -> str:
        have = self.has_every(name, documented)
        return "no" if have is None else "yes" if have else "partly"


def page_text(rows: list[tuple[str, int, str, str]], ours: Ours) -> str:
    groups: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for name, forms, group, documents in rows:
        groups[group].append((name, ours.answer(name, forms), documents))
    out = [
        "<!-- Generated by tools/api_coverage.py from spec/ascendc_api.tsv and include/. Do not edit. -->",
        "",
        "# Which documented APIs are here",
        "",
        "Every function and macro that the Ascend C documents tick for Atlas A2 (dav-2201). **yes**: our headers declare",
        "the name with at least as many overloads as its pages have; **partly**: with fewer; **no**: not at all. Overloads",
        "that differ in the element type alone count once. What a function does is the matter of the tests, not of this",
        "page. Page names are those of `docs/zh/api` in mirror-cann/asc-devkit.",
        "",
        "| group | yes | partly | no |",
        "|---|---|---|---|",
    ]
    for group, names in groups.items():
        counts = Counter(answer for _, answer, _ in names)
        out.append(f"| {group} | {counts['yes']} | {counts['partly']} | {counts['no']} |")
    counts = Counter(answer for names in groups.values() for _, answer, _ in names)
    out.append(f"| **all** | {counts['yes']} | {counts['partly']} | {counts['no']} |")
    for group, names in groups.items():
        out += ["", f"## {group}", "", "| API | here | page |", "|---|---|---|"]
        out += [f"| `{name}` | {answer} | {document} |" for name, answer, document in sorted(names)]
    return "\n".join(out) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path, metavar="CHECKOUT", help="a checkout of mirror-cann/asc-devkit")
    parser.add_argument("--check", action="store_true", help="compare the page with what would be written")
    options = parser.parse_args()
    if options.documents:
        rows = document_rows(options.documents)
        TABLE.write_text(HEAD + "".join("\t".join(map(str, row)) + "\n" for row in rows))
    text = page_text(read_table(), Ours())
    if options.check:
        if PAGE.read_text() == text:
            return 0
        print("docs/api_coverage.md is not up to date: run python tools/api_coverage.py", file=sys.stderr)
        return 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
