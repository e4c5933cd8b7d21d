"""Operators of a user's own: an .asc file with kernel, wrapper, torch.library schema and pybind module in one, built by
bisheng. The wrappers make the mistakes that are made in the field; what comes out is what a device gives."""

import importlib.util
import subprocess
import sysconfig
from pathlib import Path

import pytest
import torch_npu
from toprope.env import prefix

import torch

SOURCE = r"""
#include <ATen/ATen.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/library.h>
#include "kernel_operator.h"
#include "torch_npu/csrc/core/npu/NPUGuard.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

// z = x + y on the bytes as int32_t, in tiles.
__global__ __vector__ void add_int32(GM_ADDR x, GM_ADDR y, GM_ADDR z, int64_t count) {
  using namespace AscendC;
  constexpr uint32_t tile = 4096;
  GlobalTensor<int32_t> xGm, yGm, zGm;
  xGm.SetGlobalBuffer((__gm__ int32_t*)x);
  yGm.SetGlobalBuffer((__gm__ int32_t*)y);
  zGm.SetGlobalBuffer((__gm__ int32_t*)z);
  LocalTensor<int32_t> a(TPosition::VECCALC, 0, tile), b(TPosition::VECCALC, tile * 4, tile);
  for (int64_t at = GetBlockIdx() * tile; at < count; at += GetBlockNum() * tile) {
    const uint32_t n = count - at < tile ? count - at : tile;
    const DataCopyExtParams bytes(1, n * 4, 0, 0, 0);
    DataCopyPad(a, xGm[at], bytes, DataCopyPadExtParams<int32_t>(false, 0, 0, 0));
    DataCopyPad(b, yGm[at], bytes, DataCopyPadExtParams<int32_t>(false, 0, 0, 0));
    PipeBarrier<PIPE_ALL>();
    Add(a, a, b, n);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(zGm[at], a, bytes);
    PipeBarrier<PIPE_ALL>();
  }
}

void run(const void* x, const void* y, void* z, int64_t count) {
  add_int32<<<4, nullptr, c10_npu::getCurrentNPUStream().stream()>>>((uint8_t*)x, (uint8_t*)y, (uint8_t*)z, count);
}

at::Tensor add_data(const at::Tensor& x, const at::Tensor& y) {
  at::Tensor z = at::zeros_like(x, x.options(), at::MemoryFormat::Contiguous);
  run(x.data_ptr(), y.data_ptr(), z.data_ptr(), x.numel());
  return z;
}

at::Tensor add_storage(const at::Tensor& x, const at::Tensor& y) {
  at::Tensor z = at::zeros_like(x);
  run(x.storage().data(), y.storage().data(), const_cast<void*>(z.storage().data()), x.numel());
  return z;
}

void twice_(at::Tensor x) { run(x.data_ptr(), x.data_ptr(), x.data_ptr(), x.numel()); }

TORCH_LIBRARY(toprope_cases, m) {
  m.def("add_data(Tensor x, Tensor y) -> Tensor");
  m.def("add_storage(Tensor x, Tensor y) -> Tensor");
  m.def("twice_(Tensor(a!) x) -> ()");
}
TORCH_LIBRARY_IMPL(toprope_cases, PrivateUse1, m) {
  m.impl("add_data", &add_data);
  m.impl("add_storage", &add_storage);
  m.impl("twice_", &twice_);
}
TORCH_LIBRARY_IMPL(toprope_cases, Meta, m) {
  m.impl("add_data", [](const at::Tensor& x, const at::Tensor&) {
    return at::empty_like(x, x.options(), at::MemoryFormat::Contiguous);
  });
  m.impl("twice_", [](at::Tensor) {});
}
PYBIND11_MODULE(toprope_cases, m) { m.def("add_data", &add_data); }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    directory = tmp_path_factory.mktemp("cases")
    (directory / "cases.asc").write_text(SOURCE)
    torch_dir, npu_dir = Path(torch.__file__).parent, Path(torch_npu.__file__).parent
    includes = [
        sysconfig.get_paths()["include"],
        torch_dir / "include",
        torch_dir / "include/torch/csrc/api/include",
        npu_dir / "include",
    ]
    built = directory / "toprope_cases.so"
    subprocess.run(
        [prefix() / "bin/bisheng", "-std=c++20", "-O1", "-g0", "-shared", "-fPIC", directory / "cases.asc", "-o", built]
        + [f"-I{path}" for path in includes]
        + [
            f"-L{torch_dir}/lib",
            "-ltorch",
            "-ltorch_cpu",
            "-lc10",
            "-ltorch_python",
            f"-L{npu_dir}/lib",
            "-ltorch_npu",
        ],
        check=True,
        timeout=900,
    )
    return built


@pytest.fixture(scope="module")
def ops(library):
    torch.ops.load_library(str(library))
    return torch.ops.toprope_cases


def test_a_view_starts_at_its_offset(ops):
    """facts E01: data_ptr() includes the offset, storage().data() does not."""
    base = torch.arange(32768, dtype=torch.int32, device="npu")
    zeros = torch.zeros(16384, dtype=torch.int32, device="npu")
    assert torch.equal(ops.add_data(base[16384:], zeros).cpu(), torch.arange(16384, 32768, dtype=torch.int32))
    assert torch.equal(ops.add_storage(base[16384:], zeros).cpu(), torch.arange(16384, dtype=torch.int32))


def test_memory_order_of_what_is_not_contiguous(ops):
    """facts E02: a kernel pairs elements as they lie in memory; .contiguous() in the wrapper makes it right."""
    x = torch.arange(64 * 64, dtype=torch.int32).reshape(64, 64)
    y = x * 1000
    for view in (lambda t: t.t(), lambda t: t[:32, :32]):
        npu = view(x.npu())
        other = y.npu().flatten()[: npu.numel()].view(npu.shape)
        right = view(x) + other.cpu()
        assert torch.equal(ops.add_data(npu.contiguous(), other).cpu(), right)
        in_memory_order = x.flatten()[: npu.numel()] + other.cpu().flatten()
        assert torch.equal(ops.add_data(npu, other).cpu().flatten(), in_memory_order)
        assert not torch.equal(ops.add_data(npu, other).cpu(), right)
    row = x[0].npu().expand(64, 64)
    assert torch.equal(ops.add_data(row.contiguous(), y.npu()).cpu(), x[0] + y)
    assert torch.empty_like(x.npu().t()).stride() == torch.empty_like(x.t()).stride() == (1, 64)


def test_dtype_that_nobody_checked(ops):
    """facts E04: 1.0 + 1.0 in an int32_t kernel is 0x7F000000; of int64_t it reaches half of the elements."""
    ones = torch.ones(8, device="npu")
    assert ops.add_data(ones, ones).tolist() == [1.7014118346046923e38] * 8
    wide = torch.full((8,), 3, dtype=torch.int64, device="npu")
    assert ops.add_data(wide, wide).tolist() == [6] * 4 + [0] * 4


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
def test_in_place_operator_on_views_under_compile(ops, backend):
    """facts E08: declared as Tensor(a!), writes to views of one base are seen."""

    def model(base):
        ops.twice_(base[0])
        middle = base.sum(1)
        ops.twice_(base[1])
        ops.twice_(base[0])
        return middle, base + 1

    base = torch.arange(3 * 8, dtype=torch.int32).reshape(3, 8)
    expected_base = base * torch.tensor([4, 2, 1], dtype=torch.int32)[:, None]
    expected_middle = (base * torch.tensor([2, 1, 1], dtype=torch.int32)[:, None]).sum(1)
    torch._dynamo.reset()
    for function in (model, torch.compile(model, backend=backend, fullgraph=True)):
        given = base.npu()
        middle, after = function(given)
        assert torch.equal(middle.cpu(), expected_middle)
        assert torch.equal(after.cpu(), expected_base + 1)
        assert torch.equal(given.cpu(), expected_base)


def test_a_whole_graph_needs_a_registered_operator(ops, library):
    """facts E09: a pybind function breaks the graph; an operator with a meta kernel does not, and passes opcheck."""
    spec = importlib.util.spec_from_file_location("toprope_cases", library)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x = torch.arange(16, dtype=torch.int32, device="npu")
    assert module.add_data(x, x).tolist() == (torch.arange(16) * 2).tolist()
    torch._dynamo.reset()
    with pytest.raises(torch._dynamo.exc.Unsupported):
        torch.compile(lambda a: module.add_data(a, a) * 2, fullgraph=True, backend="eager")(x)
    compiled = torch.compile(lambda a: ops.add_data(a, a) * 2, fullgraph=True, backend="aot_eager")
    assert compiled(x).tolist() == (torch.arange(16) * 4).tolist()
    torch.library.opcheck(ops.add_data.default, (x, x), test_utils=("test_schema", "test_faketensor"))


def test_sizes_beyond_32_bits(ops):
    """facts E14: the number of elements is counted in 64 bits."""
    x = torch.empty(2**17, 2**17, dtype=torch.int8, device="meta")
    z = ops.add_data(x, x)
    assert z.shape == x.shape and z.numel() == 2**34


def test_an_operator_exists_once_its_library_is_loaded(library, fresh):
    """facts C09."""
    done = fresh(
        f"""
import torch
try:
    torch.ops.toprope_cases.add_data(torch.ones(2, device='npu'), torch.ones(2, device='npu'))
except AttributeError as error:
    print(error)
torch.ops.load_library({str(library)!r})
add = torch.ops.toprope_cases.add_data
x = torch.ones(2, dtype=torch.int32, device='npu')
print(add(x, x).tolist(), tuple(add(x.to('meta'), x.to('meta')).shape))
try:
    torch.ops.toprope_cases.add_storage(x.to('meta'), x.to('meta'))
except NotImplementedError as error:
    print('meta' in str(error).lower())
"""
    )
    assert done.returncode == 0, done.stderr
    missing, loaded, meta = done.stdout.strip().splitlines()
    assert "toprope_cases" in missing and "add_data" in missing
    assert loaded == "[2, 2] (2,)"
    assert meta == "True"
