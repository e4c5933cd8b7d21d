"""Every test of pypto starts in an initialised context."""

from __future__ import annotations

import pypto
import pytest


@pytest.fixture(autouse=True)
def initialised():
    """Tests that finalize leave no trace."""
    pypto.init()
    yield
    pypto.init()
