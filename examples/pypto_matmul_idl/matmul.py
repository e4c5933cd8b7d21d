"""Loads the generated instruction and multiplies two matrices with it."""

import pypto

pypto.load_custom_insn("./generated/matmul_pypto.so")
pypto.init()

matmul = pypto.load_insn("MatMul")

a = pypto.Tensor([[1, 2], [3, 4], [5, 6]], dtype=pypto.float32)  # [3, 2]
b = pypto.Tensor([[7, 8, 9], [10, 11, 12]], dtype=pypto.float32)  # [2, 3]
c = pypto.Tensor([[0, 0, 0], [0, 0, 0], [0, 0, 0]], dtype=pypto.float32)  # [3, 3]

matmul.set_operand(0, a)
matmul.set_operand(1, b)
matmul.set_operand(2, c)
matmul.execute()

result = c.numpy()
print(f"the product:\n{result}")
if not (result == a.numpy() @ b.numpy()).all():
    raise SystemExit("the product differs from numpy's")
