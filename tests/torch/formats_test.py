"""Internal formats: npu_format_cast moves the bytes as the format's definition says. Expected layouts are numpy's
pad, reshape and transpose."""

import ctypes

import numpy
import pytest
import torch_npu

import torch

ND, NC1HWC0, FRACTAL_Z, FRACTAL_NZ, NDC1HWC0, FRACTAL_Z_3D = 2, 3, 4, 29, 32, 33


@pytest.fixture(autouse=True)
def internal_formats():
    torch.npu.config.allow_internal_format = True
    yield
    torch.npu.config.allow_internal_format = False


def padded(a, *multiples):
    return numpy.pad(a, [(0, -n % m) for n, m in zip(a.shape, multiples)])


def nz(a, c0):
    *batch, h, w = a.shape
    p = padded(a, *[1] * len(batch), 16, c0)
    blocks = p.reshape(*batch, p.shape[-2] // 16, 16, p.shape[-1] // c0, c0)
    n = len(batch)
    return blocks.transpose(*range(n), n + 2, n, n + 1, n + 3)


def nc1hwc0(a):
    n, c, h, w = a.shape
    p = padded(a, 1, 16, 1, 1)
    return p.reshape(n, p.shape[1] // 16, 16, h, w).transpose(0, 1, 3, 4, 2)


def fractal_z(a):
    n, c, h, w = a.shape
    p = padded(a, 16, 16, 1, 1)
    split = p.reshape(p.shape[0] // 16, 16, p.shape[1] // 16, 16, h, w)
    return split.transpose(2, 4, 5, 0, 1, 3).reshape(-1, p.shape[0] // 16, 16, 16)


def ndc1hwc0(a):
    n, c, d, h, w = a.shape
    p = padded(a, 1, 16, 1, 1, 1)
    return p.reshape(n, p.shape[1] // 16, 16, d, h, w).transpose(0, 3, 1, 4, 5, 2)


def fractal_z_3d(a):
    n, c, d, h, w = a.shape
    p = padded(a, 16, 16, 1, 1, 1)
    split = p.reshape(p.shape[0] // 16, 16, p.shape[1] // 16, 16, d, h, w)
    return split.transpose(4, 2, 5, 6, 0, 1, 3).reshape(-1, p.shape[0] // 16, 16, 16)


def storage_bytes(tensor, count):
    """The memory itself: device memory is host memory here."""
    torch.npu.synchronize()
    return ctypes.string_at(tensor.untyped_storage().data_ptr(), count)


def numbered(shape, dtype):
    count = int(numpy.prod(shape))
    return (torch.arange(count) % 251 + 1).reshape(shape).to(dtype)


CASES = [
    (FRACTAL_NZ, (32, 48), torch.float16, lambda a: nz(a, 16)),
    (FRACTAL_NZ, (17, 33), torch.float16, lambda a: nz(a, 16)),
    (FRACTAL_NZ, (2, 3, 16, 20), torch.float16, lambda a: nz(a, 16)),
    (FRACTAL_NZ, (20, 40), torch.int8, lambda a: nz(a, 32)),
    (FRACTAL_NZ, (20, 40), torch.float32, lambda a: nz(a, 16)),  # four-byte types are laid out as two-byte ones
    (NC1HWC0, (2, 20, 3, 5), torch.float16, nc1hwc0),
    (NC1HWC0, (1, 16, 2, 2), torch.float32, nc1hwc0),
    (FRACTAL_Z, (20, 33, 3, 3), torch.float16, fractal_z),
    (NDC1HWC0, (2, 20, 2, 3, 4), torch.float16, ndc1hwc0),
    (FRACTAL_Z_3D, (20, 33, 2, 3, 2), torch.float16, fractal_z_3d),
]


@pytest.mark.parametrize("code, shape, dtype, layout", CASES)
def test_cast_permutes_the_bytes_and_back(code, shape, dtype, layout):
    a = numbered(shape, dtype)
    cast = torch_npu.npu_format_cast(a.npu(), code)
    assert torch_npu.get_npu_format(cast) == code
    expected = numpy.ascontiguousarray(layout(a.numpy()))
    assert storage_bytes(cast, expected.nbytes) == expected.tobytes()
    assert expected.tobytes()[: a.numpy().nbytes] != a.numpy().tobytes() or code == NC1HWC0
    assert torch.equal(cast.cpu(), a)
    base = torch_npu.npu_format_cast(cast, {4: 0, 5: 30}.get(len(shape), ND))
    assert storage_bytes(base, a.numpy().nbytes) == a.numpy().tobytes()


def test_operators_read_and_write_formatted_tensors():
    """facts E12."""
    a = numbered((17, 33), torch.float16)
    cast = torch_npu.npu_format_cast(a.npu(), FRACTAL_NZ)
    assert torch.equal((cast + 1).cpu(), a + 1)
    assert torch.equal((cast @ cast.t()).cpu(), (a.npu() @ a.npu().t()).cpu())
    cast.mul_(2)
    assert torch_npu.get_npu_format(cast) == FRACTAL_NZ
    assert storage_bytes(cast, nz(a.numpy(), 16).nbytes) == numpy.ascontiguousarray(nz((a * 2).numpy(), 16)).tobytes()
    assert torch.equal(cast.clone().cpu(), a * 2)


def test_format_is_not_made_where_forbidden():
    torch.npu.config.allow_internal_format = False
    cast = torch_npu.npu_format_cast(numbered((16, 16), torch.float16).npu(), FRACTAL_NZ)
    assert torch_npu.get_npu_format(cast) == ND
