"""ascendc_ops.ascendc_add, the module in the working directory: the right sum, and refusals."""

import os
import sys
import unittest

import torch_npu

import torch

sys.path.insert(0, os.getcwd())
import ascendc_ops  # noqa: E402


class AscendcAdd(unittest.TestCase):
    def test_sum(self):
        cpu_x = torch.arange(8 * 2048, dtype=torch.float32).reshape(8, 2048) / 1000
        cpu_y = torch.flip(cpu_x, dims=[1]) * -0.25
        actual = ascendc_ops.ascendc_add(cpu_x.to("npu:0"), cpu_y.to("npu:0")).cpu()
        expected = cpu_x + cpu_y
        self.assertEqual((actual.shape, actual.dtype), (expected.shape, expected.dtype))
        self.assertTrue(torch.isfinite(actual).all())
        torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)

    def test_on_a_stream_of_its_own(self):
        x = torch.rand((8, 2048), dtype=torch.float32, device="npu:0")
        y = torch.rand_like(x)
        with torch.npu.stream(torch.npu.Stream()):
            z = ascendc_ops.ascendc_add(x, y)
        torch.npu.synchronize()
        torch.testing.assert_close(z.cpu(), x.cpu() + y.cpu(), rtol=0, atol=0)

    def test_refusals(self):
        x = torch.rand((8, 2048), dtype=torch.float32, device="npu:0")
        other = torch.rand((8, 2048), dtype=torch.float32, device="npu:1")
        torch.npu.config.allow_internal_format = True
        for message, a, b in (
            ("NPU tensor required", x.cpu(), x.cpu()),
            ("device mismatch", x, x.cpu()),
            ("device mismatch", x, other),
            ("float32 required", x.half(), x.half()),
            (r"fixed shape \[8, 2048\] required", x[:4], x[:4]),
            ("shape mismatch", x, x[:4]),
            ("contiguous tensors required", torch.rand(8, 4096).npu()[:, ::2], x),
            ("backward is not registered", x.clone().requires_grad_(), x),
            ("ND storage format required", torch_npu.npu_format_cast(x, 29), x),
        ):
            with self.subTest(message), self.assertRaisesRegex(RuntimeError, message):
                ascendc_ops.ascendc_add(a, b)


if __name__ == "__main__":
    unittest.main(verbosity=2)
