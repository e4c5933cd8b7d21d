"""torch.ops.ascendc_ops.ascendc_add: the right sum, and a refusal for each input that it does not support.

Usage: test.py /absolute/path/to/libascendc_ops.so
"""

import sys
import unittest

import torch_npu

import torch

torch.ops.load_library(sys.argv.pop(1))
custom_add = torch.ops.ascendc_ops.ascendc_add


def inputs(device="npu:0"):
    x = torch.arange(8 * 2048, dtype=torch.float32).reshape(8, 2048) / 1000
    return x.to(device), (torch.flip(x, dims=[1]) * -0.25).to(device)


class Result(unittest.TestCase):
    def test_sum(self):
        x, y = inputs()
        actual = custom_add(x, y).cpu()
        expected = x.cpu() + y.cpu()
        self.assertEqual((actual.shape, actual.dtype), (expected.shape, expected.dtype))
        self.assertTrue(torch.isfinite(actual).all())
        torch.testing.assert_close(actual, expected, rtol=1e-6, atol=1e-6)

    def test_random(self):
        x = torch.rand((8, 2048), dtype=torch.float32, device="npu:0")
        y = torch.rand_like(x)
        torch.testing.assert_close(custom_add(x, y).cpu(), x.cpu() + y.cpu(), rtol=0, atol=0)

    def test_second_device(self):
        x, y = inputs("npu:1")
        z = custom_add(x, y)
        self.assertEqual(z.device, torch.device("npu:1"))
        self.assertEqual(torch.npu.current_device(), 0)
        torch.testing.assert_close(z.cpu(), x.cpu() + y.cpu(), rtol=0, atol=0)

    def test_slice_with_an_offset(self):
        base = torch.rand(16, 2048).npu()
        x, y = base[8:], base[:8]
        torch.testing.assert_close(custom_add(x, y).cpu(), base.cpu()[8:] + base.cpu()[:8], rtol=0, atol=0)

    def test_compiles_without_a_break(self):
        x, y = inputs()
        compiled = torch.compile(lambda a, b: custom_add(a, b) * 2, fullgraph=True, backend="eager")
        torch.testing.assert_close(compiled(x, y).cpu(), (x.cpu() + y.cpu()) * 2)


class Refusals(unittest.TestCase):
    def refused(self, message, x, y):
        with self.assertRaisesRegex(RuntimeError, message):
            custom_add(x, y)

    def test_dtype(self):
        x, y = inputs()
        self.refused("float32 required", x.half(), y.half())
        self.refused("float32 required", x, y.half())

    def test_shape(self):
        self.refused(r"fixed shape \[8, 2048\] required", torch.rand(4, 2048).npu(), torch.rand(4, 2048).npu())
        self.refused(r"fixed shape \[8, 2048\] required", torch.rand(16384).npu(), torch.rand(16384).npu())

    def test_mismatched_shapes(self):
        self.refused("shape mismatch", inputs()[0], torch.rand(8, 1024).npu())

    def test_non_contiguous(self):
        x = torch.rand(2048, 8).npu().t()
        self.refused("contiguous tensors required", x, x)
        self.refused("contiguous tensors required", torch.rand(8, 4096).npu()[:, ::2], inputs()[1])

    def test_cpu_tensor(self):
        x, y = inputs("cpu")
        with self.assertRaisesRegex((NotImplementedError, RuntimeError), "CPU"):
            custom_add(x, y)
        with self.assertRaises(RuntimeError):
            custom_add(x.npu(), y)

    def test_other_device(self):
        self.refused("device mismatch", inputs("npu:0")[0], inputs("npu:1")[1])

    def test_internal_format(self):
        torch.npu.config.allow_internal_format = True
        x, y = inputs()
        nz = torch_npu.npu_format_cast(x, 29)
        self.assertEqual(torch_npu.get_npu_format(nz), 29)
        self.refused("ND storage format required", nz, y)
        self.refused("ND storage format required", x, torch_npu.npu_format_cast(y, 29))

    def test_requires_grad(self):
        x, y = inputs()
        self.refused("backward is not registered", x.requires_grad_(), y)


if __name__ == "__main__":
    unittest.main(verbosity=2)
