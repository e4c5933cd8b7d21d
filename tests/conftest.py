"""One process runs every Python test, and a process describes its machine once, when its first test loads the library:
two devices, for the tests that need a second one. Programs that need another machine run in a process of their own."""

from __future__ import annotations

import os

os.environ.setdefault("TOPROPE_DEVICES", "2")
