"""Tests of the language and of the code generator share the modules in codegen/."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "codegen"))
