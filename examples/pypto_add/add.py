"""Loads the PTO instruction `add` and runs it on numpy arrays."""

import numpy as np
import pypto

pypto.init()
print(f"NPU devices: {pypto.get_device_count()}")

add_insn = pypto.load_insn("add")
print(f"name: {add_insn.name}")
print(f"id: {add_insn.insn_id}")
print(f"operands: {add_insn.num_operands}")

a = np.array([1, 2, 3, 4, 5], dtype=np.float32)
b = np.array([10, 20, 30, 40, 50], dtype=np.float32)
c = np.zeros(5, dtype=np.float32)

add_insn.set_operand(0, a)
add_insn.set_operand(1, b)
add_insn.set_operand(2, c)
add_insn.execute()
print(f"result: {c}")

if not np.array_equal(c, a + b):
    raise SystemExit(f"expected {a + b}")
