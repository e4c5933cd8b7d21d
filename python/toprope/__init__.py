"""Toprope: run, test and check code for Ascend NPUs on an ordinary CPU."""

__version__ = "0.1.0"
