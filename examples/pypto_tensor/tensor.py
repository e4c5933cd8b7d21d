"""A softmax of each row, from PTO instructions on device tensors."""

import numpy as np
import pypto

pypto.init()
rowmax = pypto.load_insn("rowmax")
rowexpandexpdif = pypto.load_insn("rowexpandexpdif")
rowsum = pypto.load_insn("rowsum")
rowexpanddiv = pypto.load_insn("rowexpanddiv")

values = np.random.default_rng(1).normal(size=(4, 1000)).astype(np.float32)
x = pypto.Tensor(values, dtype=pypto.float32)

greatest = rowmax(x)
powers = rowexpandexpdif(x, greatest)  # exp(x - its row's greatest)
total = rowsum(powers)
softmax = pypto.zeros(x.shape)
rowexpanddiv(powers, total, softmax)
print(f"softmax: {softmax.shape} {softmax.dtype} on {softmax.device}")

exact = np.exp(values.astype(np.float64) - values.max(axis=1, keepdims=True))
exact /= exact.sum(axis=1, keepdims=True)
error = np.abs(softmax.numpy() / exact - 1).max()
print(f"largest relative error: {error:.1e}")
if not error < 1e-6:
    raise SystemExit("softmax differs from numpy's")
