"""A user's C++ extension: FormatHelper and NPUGuard link, load and answer, as in the requirement's torch.library wrapper."""

import subprocess
from pathlib import Path

import pytest
import torch_npu

import torch

SOURCE = r"""
#include <ATen/core/Tensor.h>
#include <torch/library.h>
#include "torch_npu/csrc/core/npu/NPUGuard.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/FormatHelper.h"

int64_t format_of(const at::Tensor& x) { return at_npu::native::FormatHelper::GetFormat(x); }
std::string name_of(const at::Tensor& x) { return at_npu::native::FormatHelper::GetFormatName(x); }
at::Tensor on_device_of(const at::Tensor& x) {
  c10_npu::NPUGuard guard(x.device());
  TORCH_CHECK(c10_npu::getCurrentNPUStream(x.get_device()).stream() != nullptr);
  return at::empty({c10_npu::getCurrentNPUStream().device_index()}, x.options());
}

TORCH_LIBRARY(toprope_extension_test, m) {
  m.def("format_of(Tensor x) -> int", &format_of);
  m.def("name_of(Tensor x) -> str", &name_of);
  m.def("on_device_of(Tensor x) -> Tensor", &on_device_of);
}
"""


@pytest.fixture(scope="module")
def extension(tmp_path_factory):
    """facts C02: headers and libraries are those of the installed wheels."""
    directory = tmp_path_factory.mktemp("extension")
    (directory / "extension.cpp").write_text(SOURCE)
    torch_dir, npu_dir = Path(torch.__file__).parent, Path(torch_npu.__file__).parent
    includes = [
        torch_dir / "include",
        torch_dir / "include/torch/csrc/api/include",
        npu_dir / "include",
        npu_dir / "include/third_party/acl/inc",
        npu_dir / "include/third_party/hccl/inc",
    ]
    library = directory / "libextension.so"
    subprocess.run(
        [
            "g++",
            "-std=c++20",
            "-shared",
            "-fPIC",
            str(directory / "extension.cpp"),
            "-o",
            str(library),
            *[f"-I{path}" for path in includes],
            f"-L{torch_dir}/lib",
            "-ltorch",
            "-ltorch_cpu",
            "-lc10",
            f"-L{npu_dir}/lib",
            "-ltorch_npu",
        ],
        check=True,
        capture_output=True,
        timeout=600,
    )
    torch.ops.load_library(str(library))
    return torch.ops.toprope_extension_test


def test_format_helper(extension):
    torch.npu.config.allow_internal_format = True
    try:
        x = torch.ones(32, 32, dtype=torch.float16).npu()
        assert (extension.format_of(x), extension.name_of(x)) == (2, "ND")
        nz = torch_npu.npu_format_cast(x, 29)
        assert (extension.format_of(nz), extension.name_of(nz)) == (29, "FRACTAL_NZ")
    finally:
        torch.npu.config.allow_internal_format = False


def test_guard_selects_the_tensors_device(extension):
    """facts D07: the output and the stream belong to the input's device, not to the current one."""
    assert torch.npu.current_device() == 0
    made = extension.on_device_of(torch.ones(1, device="npu:1"))
    assert made.device == torch.device("npu", 1) and made.shape == (1,)
    assert torch.npu.current_device() == 0


def test_operator_without_kernel_for_the_cpu_says_so():
    """facts E11."""
    torch.library.define("toprope_only_npu::f", "(Tensor x) -> Tensor")
    torch.library.impl("toprope_only_npu::f", "PrivateUse1", lambda x: x * 2)
    assert torch.ops.toprope_only_npu.f(torch.ones(2, device="npu")).tolist() == [2, 2]
    with pytest.raises(NotImplementedError, match="CPU"):
        torch.ops.toprope_only_npu.f(torch.ones(2))


def test_operator_without_backward_does_not_pretend_to_have_one(capfd):
    """facts E06."""
    torch.library.define("toprope_no_backward::f", "(Tensor x) -> Tensor")
    torch.library.impl("toprope_no_backward::f", "PrivateUse1", lambda x: x.clone())
    out = torch.ops.toprope_no_backward.f(torch.ones(2, device="npu", requires_grad=True))
    try:
        out.sum().backward()
    except RuntimeError as error:
        assert "grad" in str(error)
    else:
        assert "an autograd kernel was not registered" in capfd.readouterr().err


KEYS = r"""
#include <c10/core/AllocatorConfig.h>
// What a CUDA build of torch does when its libc10_cuda is loaded: takes keys that torch_npu takes too.
static const c10::CachingAllocator::DeviceConfigParserHookRegistry registry(
    [](const std::string&) {}, {"per_process_memory_fraction"});
"""


def test_shim_for_cuda_builds(tmp_path, fresh):
    """Keys registered twice end the import without the shim, and do not with it."""
    (tmp_path / "keys.cpp").write_text(KEYS)
    torch_dir = Path(torch.__file__).parent
    subprocess.run(
        [
            "g++",
            "-std=c++20",
            "-shared",
            "-fPIC",
            str(tmp_path / "keys.cpp"),
            "-o",
            str(tmp_path / "libkeys.so"),
            f"-I{torch_dir}/include",
            f"-L{torch_dir}/lib",
            "-lc10",
        ],
        check=True,
        capture_output=True,
        timeout=600,
    )
    program = f"""
import os, ctypes
os.environ['TORCH_DEVICE_BACKEND_AUTOLOAD'] = '0'
import torch
ctypes.CDLL({str(tmp_path / "libkeys.so")!r})
torch.version.cuda = SHIM
import torch_npu
print((torch.ones(2).npu() + 1).tolist())
"""
    with_shim = fresh(program.replace("SHIM", "'13.0'"))
    assert with_shim.stdout.strip() == "[2.0, 2.0]", with_shim.stderr
    without = fresh(program.replace("SHIM", "None"))
    assert without.returncode != 0 and "Duplicated key" in without.stderr
