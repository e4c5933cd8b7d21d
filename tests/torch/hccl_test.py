"""Collectives in one process: a group of one rank, and what a larger one is told."""


def test_group_of_one_rank(fresh, tmp_path):
    done = fresh(f"""
import torch, torch_npu, torch.distributed as dist
dist.init_process_group('hccl', init_method='file://{tmp_path}/store', rank=0, world_size=1)
x = torch.arange(4.0, device='npu')
dist.all_reduce(x)
gathered = torch.empty(4, device='npu')
dist.all_gather_into_tensor(gathered, x)
dist.broadcast(x, 0)
dist.barrier()
print(x.tolist(), gathered.tolist())
dist.destroy_process_group()
""")
    assert done.stdout.strip() == "[0.0, 1.0, 2.0, 3.0] [0.0, 1.0, 2.0, 3.0]", done.stderr


def test_more_ranks_are_refused_by_name(fresh):
    done = fresh("""
import ctypes, torch, torch_npu
from toprope.env import prefix
hccl = ctypes.CDLL(str(prefix() / 'lib64' / 'libhccl.so'))
acl = ctypes.CDLL(str(prefix() / 'lib64' / 'libascendcl.so'))
acl.aclGetRecentErrMsg.restype = ctypes.c_char_p
info, comm = ctypes.create_string_buffer(4108), ctypes.c_void_p()
assert hccl.HcclGetRootInfo(info) == 0
print(hccl.HcclCommInitRootInfo(2, info, 0, ctypes.byref(comm)), acl.aclGetRecentErrMsg().decode())
""")
    assert done.stdout.startswith("5 HcclCommInitRootInfo: a communicator of 2 ranks"), done.stdout + done.stderr
