"""`import torch_npu` in a plain environment: silent, in either order, and clear where the versions do not fit."""

import os

import pytest
from toprope import torch_session


def python_path(first):
    """PYTHONPATH with another directory in front."""
    return os.pathsep.join([str(first), *filter(None, [os.environ.get("PYTHONPATH")])])


def succeeded(done):
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("order", ["import torch, torch_npu", "import torch_npu, torch", "import torch"])
def test_import_prints_nothing_and_gives_npu_tensors(fresh, order):
    done = fresh(f"{order}\nimport sys\nsys.stdout.flush()\nassert torch.npu.device_count() == 1")
    assert succeeded(done) == ""
    assert done.stderr == ""


def test_tensor_after_plain_import(fresh):
    """facts C10: torch.npu is there without `import torch_npu`."""
    done = fresh("import torch\nprint((torch.ones(3, device='npu:0') + 1).cpu().tolist())")
    assert succeeded(done) == "[2.0, 2.0, 2.0]"


def test_start_of_python_loads_only_the_hook(fresh):
    """What the .pth costs every Python: our two small modules and nothing else."""
    done = fresh(
        "import sys\nprint(sorted(m for m in sys.modules if m.split('.')[0] in ('toprope', 'torch', 'ctypes', 'json', 'importlib')"
        " and m not in ('importlib._bootstrap', 'importlib._bootstrap_external')))"
    )
    plain = fresh("print(1)")
    assert plain.returncode == 0
    loaded = eval(succeeded(done))
    assert {"toprope", "toprope.preload"} <= set(loaded)
    assert not [name for name in loaded if name.startswith(("torch", "ctypes", "json", "toprope.torch_session"))]


def test_autoload_can_be_switched_off(fresh):
    """facts C10: what is missing then is named."""
    done = fresh("import torch\ntorch.npu", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert done.returncode != 0
    assert "AttributeError: module 'torch' has no attribute 'npu'" in done.stderr


def test_a_source_tree_of_torch_npu_in_the_way(fresh, tmp_path):
    """facts C03: its directory is named, and what to do about it."""
    (tmp_path / "torch_npu").mkdir()
    (tmp_path / "torch_npu" / "__init__.py").write_text("import torch_npu._C\n")
    done = fresh("import torch_npu", PYTHONPATH=python_path(tmp_path))
    assert done.returncode != 0
    assert f"ImportError: {tmp_path}/torch_npu is torch_npu without its compiled part" in done.stderr
    assert "start Python elsewhere" in done.stderr


def test_an_installed_torch_npu_of_another_number(fresh, tmp_path):
    """End to end: the import names the pair to install, before anything of torch_npu runs."""
    package = tmp_path / "torch_npu"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemError('torch_npu ran')\n")
    (package / "_C.cpython-311-x86_64-linux-gnu.so").touch()
    (package / "version.py").write_text("__version__ = '2.12.0'\n")
    done = fresh("import torch_npu", PYTHONPATH=python_path(tmp_path))
    assert done.returncode != 0 and "torch_npu ran" not in done.stderr
    assert "pip install torch==2.12.0 torch-npu==2.12.0" in done.stderr


def test_settings_are_made_only_where_unset(fresh):
    program = (
        "import torch_npu, os\nprint(os.environ['TASK_QUEUE_ENABLE'], os.environ['TORCH_DEVICE_BACKEND_AUTOLOAD'])"
    )
    assert succeeded(fresh(program, TORCH_DEVICE_BACKEND_AUTOLOAD="1")) == "0 1"
    assert succeeded(fresh(program, TORCH_DEVICE_BACKEND_AUTOLOAD="1", TASK_QUEUE_ENABLE="1")).split()[0] == "1"


def test_torch_of_another_number_is_refused():
    with pytest.raises(
        ImportError, match=r"torch_npu 2\.12\.0 .* torch 2\.13\.0\+cpu.*pip install torch==2\.12\.0 torch-npu==2\.12\.0"
    ):
        torch_session.check_versions("2.13.0+cpu", "2.12.0", "2.13.0")


def test_torch_other_than_the_one_built_for_is_refused():
    with pytest.raises(ImportError, match=r"built for torch 2\.12\.0.*2\.13\.0.*pip install --no-build-isolation"):
        torch_session.check_versions("2.13.0", "2.13.0", "2.12.0+cu126")


def test_fitting_versions_pass():
    torch_session.check_versions("2.13.0+cu130", "2.13.0.post2", "2.13.0+cpu")


def test_unknown_aten_mode_is_refused(fresh):
    done = fresh("import torch_npu", TOPROPE_ATEN="gpu")
    assert done.returncode != 0
    assert "TOPROPE_ATEN is 'gpu'" in done.stderr and "'aclnn'" in done.stderr
