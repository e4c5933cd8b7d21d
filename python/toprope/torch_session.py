"""What `import torch_npu` needs around it: CANN's libraries under the names that torch_npu links, its settings, a torch
that fits, and the ATen override behind it. Called by toprope.preload."""

from __future__ import annotations

import ctypes
import json
import os
import re
from importlib.machinery import ModuleSpec
from pathlib import Path

from toprope.doctor import release
from toprope.env import prefix

#: In the order of loading: each may need those before it. torch_npu links the first six by these names.
LIBRARIES = (
    "libascendcl.so",
    "libacl_op_compiler.so",
    "libge_runner.so",
    "libgraph.so",
    "libacl_tdt_channel.so",
    "libhccl.so",
    "libopapi.so",
)

#: TOPROPE_ATEN: who computes ATen operators on npu tensors.
OVERRIDE, ACLNN = "cpu", "aclnn"

_MESSAGE_BYTES = 4096


def load(name: str) -> ctypes.CDLL:
    """Loads a library of the prefix for everybody: the dynamic linker then takes it wherever this name is needed.

    Raises ImportError with the cure where it does not load.
    """
    path = prefix() / "lib64" / name
    try:
        return ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise ImportError(
            f"Toprope cannot load {path}: {error}. Run `toprope doctor`; where the wheel is broken: "
            "pip install --force-reinstall --no-deps toprope"
        ) from error


def aten_mode() -> str:
    """The value of TOPROPE_ATEN. Raises ImportError for one that means nothing."""
    mode = os.environ.get("TOPROPE_ATEN", OVERRIDE)
    if mode not in (OVERRIDE, ACLNN):
        raise ImportError(
            f"TOPROPE_ATEN is {mode!r}; it takes {OVERRIDE!r} (PyTorch's CPU kernels on npu memory, the default) "
            f"or {ACLNN!r} (torch_npu's own path over the operator library)"
        )
    return mode


def check_versions(torch_version: str, torch_npu_version: str, built_for: str) -> None:
    """Raises ImportError, naming what to install, where torch, torch_npu and our operator library do not fit."""
    torch, torch_npu = release(torch_version), release(torch_npu_version)
    if torch != torch_npu:
        raise ImportError(
            f"torch_npu {torch_npu_version} does not work with torch {torch_version}: each torch_npu fits the torch "
            f"of the same number. Install the pair: pip install torch=={torch_npu} torch-npu=={torch_npu}"
        )
    if release(built_for) != torch:
        made = f"torch {built_for}" if built_for else "no torch"
        raise ImportError(
            f"this Toprope was built for {made}, but torch {torch_version} is installed. Build it again in this "
            "environment: pip install --no-build-isolation --force-reinstall --no-deps toprope"
        )


def torch_npu_version(spec: ModuleSpec) -> str:
    """The version in torch_npu/version.py, read without executing the package.

    Raises ImportError for a source tree of torch_npu, which has neither that file nor the compiled part.
    """
    package = Path(spec.submodule_search_locations[0])
    if not any(package.glob("_C*.so")):
        raise ImportError(
            f"{package} is torch_npu without its compiled part, found before the installed one because its parent "
            "directory is the working directory or on PYTHONPATH: start Python elsewhere, or take it off PYTHONPATH"
        )
    text = (package / "version.py").read_text()
    return re.search(r"__version__ = '([^']+)'", text)[1]


def import_torch():
    """torch, without its backend autoloading, which would import torch_npu inside the import of torch_npu."""
    before = os.environ.get("TORCH_DEVICE_BACKEND_AUTOLOAD")
    os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"
    try:
        import torch
    finally:
        if before is None:
            del os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"]
        else:
            os.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = before
    return torch


def prepare(spec: ModuleSpec) -> None:
    """Before torch_npu runs."""
    aten_mode()
    torch = import_torch()
    built_for = json.loads((prefix() / "build_info.json").read_text())["torch"]
    check_versions(torch.__version__, torch_npu_version(spec), built_for)
    # The task queue submits from a thread of its own, where a failing operator is not seen by the one who called it.
    os.environ.setdefault("TASK_QUEUE_ENABLE", "0")
    os.environ.setdefault("ASCEND_HOME_PATH", str(prefix()))
    os.environ.setdefault("ASCEND_OPP_PATH", str(prefix() / "opp"))
    if any(getattr(torch.version, accelerator, None) for accelerator in ("cuda", "hip", "xpu")):
        load("libtoprope_torch_keys.so")
    for name in LIBRARIES:
        load(name)


def install() -> None:
    """After torch_npu has run."""
    library = load("libtoprope_torch_aten.so")
    if aten_mode() == ACLNN:
        return
    library.toprope_install_override.restype = ctypes.c_int64
    library.toprope_install_override.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    message = ctypes.create_string_buffer(_MESSAGE_BYTES)
    if library.toprope_install_override(message, _MESSAGE_BYTES) < 0:
        raise ImportError(f"Toprope's operators could not be installed: {message.value.decode(errors='replace')}")
