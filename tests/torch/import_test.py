"""`import torch_npu` in a plain environment: silent, in either order, and clear where the versions do not fit."""

import pytest
from toprope import torch_session


def succeeded(done):
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("order", ["import torch, torch_npu", "import torch_npu, torch", "import torch"])
def test_import_prints_nothing_and_gives_npu_tensors(fresh, order):
    done = fresh(f"{order}\nimport sys\nsys.stdout.flush()\nassert torch.npu.device_count() == 1")
    assert succeeded(done) == ""
    assert done.stderr == ""


def test_tensor_after_plain_import(fresh):
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
    done = fresh("import torch\nprint(hasattr(torch, 'npu'))", TORCH_DEVICE_BACKEND_AUTOLOAD="0")
    assert succeeded(done) == "False"


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
