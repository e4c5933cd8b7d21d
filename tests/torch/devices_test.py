"""Devices and streams: what lies where, and what is refused."""

import pytest
import torch_npu

import torch


def test_two_devices():
    a = torch.ones(3, device="npu:1")
    assert (a + a).device == torch.device("npu", 1)
    assert torch.zeros_like(a).device == torch.device("npu", 1)
    assert a.to("npu:0").device == torch.device("npu", 0)
    assert torch.npu.current_device() == 0
    assert torch.arange(5, device="npu:1").device == torch.device("npu", 1)


def test_device_context():
    with torch.npu.device(1):
        assert torch.ones(2, device="npu").device == torch.device("npu", 1)
    assert torch.ones(2, device="npu").device == torch.device("npu", 0)


@pytest.mark.parametrize("other, place", [(torch.ones(3), "cpu"), ("npu:1", "npu:1")])
@pytest.mark.parametrize("operator", [torch.add, torch.fmod, lambda a, b: torch.cat([a, b]), lambda a, b: a.add_(b)])
def test_mixed_devices_are_refused(operator, other, place):
    second = other if isinstance(other, torch.Tensor) else torch.ones(3, device=other)
    with pytest.raises(RuntimeError, match=rf"npu:0 and {place}!.*is on {place}"):
        operator(torch.ones(3, device="npu:0"), second)


def test_cpu_target_of_an_npu_source_is_refused():
    with pytest.raises(RuntimeError, match="npu:0 and cpu!"):
        torch.ones(3).add_(torch.ones(3, device="npu"))


def test_cpu_number_beside_npu_tensors():
    a = torch.ones(3, device="npu")
    assert (a * torch.tensor(2.0)).tolist() == [2, 2, 2]


def test_no_such_device():
    with pytest.raises((RuntimeError, AssertionError), match="(?i)device"):
        torch.ones(2, device="npu:7")


def test_streams_and_events():
    side = torch.npu.Stream()
    start, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    a = torch.zeros(4, device="npu")
    with torch.npu.stream(side):
        assert torch.npu.current_stream() == side
        start.record()
        a.add_(1)
        end.record()
    torch.npu.current_stream().wait_stream(side)
    end.synchronize()
    assert end.query() and start.elapsed_time(end) >= 0
    assert a.cpu().tolist() == [1] * 4
    side.synchronize()
    torch.npu.synchronize()


@pytest.mark.parametrize("mode", ["eager", "async", "lazy"])
@pytest.mark.parametrize("queue", ["0", "1"])
def test_operators_keep_the_order_of_the_stream(fresh, mode, queue):
    """A copy that the stream still holds is done before the operator behind it (facts D01, D06)."""
    done = fresh(
        """
import torch
a = torch.arange(4096.0).pin_memory()
for i in range(20):
    b = a.to('npu', non_blocking=True)
    c = b * 2
    b.copy_(c + 1, non_blocking=True)
    assert torch.equal((b - 1).cpu(), a * 2), i
print('in order')
""",
        TOPROPE_STREAM=mode,
        TASK_QUEUE_ENABLE=queue,
    )
    assert done.stdout.strip() == "in order", done.stderr


def test_memory_info():
    free, total = torch.npu.mem_get_info()
    assert 0 < free <= total


def test_default_is_base_format():
    assert torch_npu.get_npu_format(torch.ones(2, 3, device="npu") + 1) == 2
    assert torch_npu.get_npu_format(torch.ones(1, 2, 3, 4, device="npu") + 1) == torch_npu.get_npu_format(
        torch.ones(1, 2, 3, 4).npu()
    )
