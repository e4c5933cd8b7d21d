"""Runs the generated softmax as a pypto instruction and as a torch.library operator. Usage: softmax.py INSN.so OPS.so"""

import sys

import pypto
import torch_npu  # noqa: F401

import torch

pypto.load_custom_insn(sys.argv[1])
torch.ops.load_library(sys.argv[2])
pypto.init()

torch.manual_seed(1)
x = torch.randn(100, 3000) * 10
expected = torch.softmax(x.double() * 0.5, dim=1)

insn = pypto.load_insn("Softmax")
first = torch.empty_like(x)
insn(x, first, scale=0.5)

second = torch.ops.examples_softmax.softmax(x.npu(), scale=0.5).cpu()

for name, result in (("pypto", first), ("ascendc", second)):
    error = (result / expected - 1).abs().max().item()
    print(f"{name}: largest relative error {error:.1e}")
    if not error < 1e-5:
        raise SystemExit(f"{name}'s softmax differs from PyTorch's")
difference = (first - second).abs().max().item()
print(f"largest difference between the two: {difference:.1e}")
if not difference < 1e-6:
    raise SystemExit("the two targets differ")
