"""Finds the sample projects of a checkout: directories whose README has a recipe for the architecture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from samples_readme import Recipe, read_needs, read_recipes

#: The English README says the same as the other; one language is enough to parse.
README = "README_en.md"
SOURCES = (".asc", ".cpp", ".h", ".cc")
#: Words in sources that only programs for the cube unit, alone or with vector cores, use.
CUBE = re.compile(
    r"\b(__cube__|__mix__|Mmad|MmadParams|MatmulImpl|Matmul|MatmulType|LoadData|LoadDataWithTranspose|Fixpipe|"
    r"Conv3D\w*|asc_mmad\w*|KERNEL_TYPE_MIX\w*|KERNEL_TYPE_AIC_ONLY|ASCEND_IS_AIC)\b"
)


@dataclass
class Sample:
    name: str  # path below examples/
    path: Path
    cube: bool
    recipes: list[Recipe]
    needs: list[Path]  # samples that its README says to build and install first


def uses_cube(sample: Path) -> bool:
    """Whether a source, comments aside, names the cube unit."""
    for source in sorted(sample.rglob("*")):
        if source.suffix in SOURCES and source.is_file():
            text = re.sub(r"//[^\n]*|/\*.*?\*/", "", source.read_text(errors="replace"), flags=re.S)
            if CUBE.search(text):
                return True
    return False


def find_samples(examples: Path, arch: str) -> list[Sample]:
    """Every sample for the architecture, in the order of their paths."""
    samples = []
    for readme in sorted(examples.rglob(README)):
        if recipes := read_recipes(readme, arch):
            path = readme.parent
            samples.append(Sample(str(path.relative_to(examples)), path, uses_cube(path), recipes, read_needs(readme)))
    return samples
