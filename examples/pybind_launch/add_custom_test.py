"""run_add_custom against torch.add, as the operator's author would test it."""

import os
import sys

from torch_npu.testing.testcase import TestCase, run_tests

import torch

sys.path.append(os.getcwd())
import add_custom  # noqa: E402  (built into the working directory)

torch.npu.config.allow_internal_format = False


class TestCustomAdd(TestCase):
    def test_add_custom_ops(self):
        length = [8, 2048]
        x = torch.rand(length, device="cpu", dtype=torch.float16)
        y = torch.rand(length, device="cpu", dtype=torch.float16)
        output = add_custom.run_add_custom(x.npu(), y.npu())
        self.assertRtolEqual(output, torch.add(x, y))
        # rtol alone would let a wrong low bit pass: half addition is exactly rounded on both sides.
        self.assertTrue(torch.equal(output.cpu(), torch.add(x, y)))


if __name__ == "__main__":
    run_tests()
