"""PyTorch's own operator samples (OpInfo), on npu tensors against CPU tensors: no wrong value, and few refusals."""

import itertools
import time
import warnings

import pytest
import torch_npu  # noqa: F401
from torch.utils._pytree import tree_leaves, tree_map

import torch

op_db = pytest.importorskip("torch.testing._internal.common_methods_invocations").op_db

#: Seconds for the sweep, and samples of each operator. On a slow machine it reaches a part of the list, spread over it.
BUDGET, SAMPLES, STRIDE = 120, 2, 7
#: Draw random numbers, or return memory as they find it: compared by shape and device alone.
UNCOMPARABLE = (
    "bernoulli",
    "normal",
    "rand",
    "dropout",
    "multinomial",
    "uniform",
    "exponential",
    "geometric",
    "cauchy",
    "empty",
    "rrelu",
    "fractional_max_pool",
    "svd_lowrank",
    "pca_lowrank",
    "multi_head_attention_forward",
)
#: Its sample is a window on a larger storage and reads beyond the window; .npu() moves the window alone.
UNMOVABLE = ("as_strided.partial_views",)
#: Share of the operators reached that must run; the others need sparse, quantised or nested npu tensors, which Toprope has not.
SHARE = 0.93


def to_npu(value):
    def move(leaf):
        if isinstance(leaf, torch.Tensor):
            return leaf.detach().npu()
        return "npu" if leaf == torch.device("cpu") or (isinstance(leaf, str) and leaf == "cpu") else leaf

    return tree_map(move, value)


def compare(name, expected, found):
    """Why the results differ, or nothing."""
    pairs = list(zip(tree_leaves(expected), tree_leaves(found)))
    if len(tree_leaves(expected)) != len(tree_leaves(found)):
        return "another number of results"
    for a, b in pairs:
        if not isinstance(a, torch.Tensor):
            continue
        if b.layout != torch.strided or a.is_quantized:
            continue
        if b.device.type != "npu":
            return f"a result on {b.device}"
        if any(word in name for word in UNCOMPARABLE):
            if a.shape != b.shape:
                return "another shape"
            continue
        # Eight-bit floats are compared bit for bit, or not at all.
        tolerance = 0 if a.is_floating_point() and a.itemsize == 1 else 1e-4
        try:
            torch.testing.assert_close(b.cpu(), a.detach(), equal_nan=True, rtol=tolerance, atol=tolerance)
        except AssertionError as error:
            return str(error).splitlines()[0]
    return None


@pytest.fixture
def one_thread():
    """Tiny samples on many threads wait for each other most of the time."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_operator_samples(record_property, capsys, one_thread):
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    deadline = time.monotonic() + BUDGET
    passed, refused, wrong, reached = 0, {}, {}, 0
    for op in itertools.chain(*(op_db[start::STRIDE] for start in range(STRIDE))):
        if time.monotonic() > deadline:
            break
        name = f"{op.name}.{op.variant_test_name}".rstrip(".")
        if not op.dtypes or name in UNMOVABLE:
            continue
        reached += 1
        dtype = torch.float32 if torch.float32 in op.dtypes else min(op.dtypes, key=str)
        try:
            samples = list(itertools.islice(op.sample_inputs("cpu", dtype), SAMPLES))
            for sample in samples:
                inputs = to_npu((sample.input, sample.args, sample.kwargs))
                expected = op(sample.input, *sample.args, **sample.kwargs)
                difference = compare(name, expected, op(inputs[0], *inputs[1], **inputs[2]))
                if difference:
                    wrong[name] = difference
        except Exception as error:  # any refusal counts, whatever its type
            refused[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"
        else:
            passed += name not in wrong
    with capsys.disabled():
        print(
            f"\nOpInfo: {passed} of {reached} operators pass ({len(op_db)} in all), {len(refused)} refuse, {len(wrong)} wrong"
        )
        for name, reason in refused.items():
            print(f"  refused {name}: {reason}")
    record_property("passed", passed)
    assert not wrong
    assert reached >= 50
    assert passed >= SHARE * reached
